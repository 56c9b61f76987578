// SPDX-License-Identifier: Apache-2.0
#include "calls/MpiFilePrefetch.h"

#include "calls/Guarded.h"
#include "calls/PreCall.h"
#include "calls/TheProcess.h"
#include "forerun/prefetch.h"

namespace forerun {

namespace {

/// Calls by hand share each file's pointer, and one stream, which allows one producer at a time.
template <typename Act> void actByHand(CacheHost &host, forerun_handle &handle, const Act &act) {
  const MutexLock lock(host.handles().handMutex());
  const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
  const HandleUse use(host.handles(), host.courier().files(), handle.slot, generation);
  if (!use)
    return;
  PrefetchCall call(describe(handle, generation), handle.hand, host.handStream(),
                    host.courier().handDirt(), use.open().number);
  act(call);
}

/// Finds the file and the side that the calling thread is on. Without a cache there is nothing to
/// do.
template <typename Act> int onFile(MPI_File fh, const Act &act) {
  guarded([&] {
    CacheHost &host = theProcess().host();
    if (PreThread *self = PreThread::predicting())
      PreCall::current(*self).onFile(fh, act);
    else if (forerun_handle *handle = host.handles().find(fh))
      actByHand(host, *handle, act);
  });
  return MPI_SUCCESS;
}

} // namespace

void setHandView(HandleTable &handles, forerun_handle &handle, MPI_Offset displacement,
                 MPI_Datatype etype, MPI_Datatype filetype) {
  const MutexLock lock(handles.handMutex());
  const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
  handle.hand.follow(describe(handle, generation));
  handle.hand.setView(displacement, etype, filetype);
}

} // namespace forerun

using forerun::Brought;
using forerun::bytesOf;
using forerun::onFile;
using forerun::PrefetchCall;

int MPI_File_prefetch(MPI_File fh, int count, MPI_Datatype datatype) {
  return onFile(fh, [&](PrefetchCall &call) { call.read(bytesOf(count, datatype)); });
}

int MPI_File_prefetch_all(MPI_File fh, int count, MPI_Datatype datatype) {
  return MPI_File_prefetch(fh, count, datatype);
}

int MPI_File_prefetch_shared(MPI_File fh, int count, MPI_Datatype datatype) {
  return onFile(fh, [&](PrefetchCall &call) { call.readShared(bytesOf(count, datatype)); });
}

int MPI_File_prefetch_ordered(MPI_File fh, int count, MPI_Datatype datatype) {
  return MPI_File_prefetch_shared(fh, count, datatype);
}

int MPI_File_prefetch_at(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype) {
  return onFile(fh, [&](PrefetchCall &call) { call.readAt(offset, bytesOf(count, datatype)); });
}

int MPI_File_prefetch_at_all(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype) {
  return MPI_File_prefetch_at(fh, offset, count, datatype);
}

int MPI_File_prefetch_seek(MPI_File fh, MPI_Offset offset, int whence) {
  return onFile(fh, [&](PrefetchCall &call) { call.seek(offset, whence); });
}

// MPI-IO's data representation "native" is the only one that MPICH's MPI-IO knows.
int MPI_File_prefetch_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype,
                               MPI_Datatype filetype, const char * /*datarep*/, MPI_Info /*info*/) {
  return onFile(fh, [&](PrefetchCall &call) { call.setView(disp, etype, filetype); });
}

int MPI_File_prefetch_write(MPI_File fh, int count, MPI_Datatype datatype) {
  return onFile(fh, [&](PrefetchCall &call) { call.write(bytesOf(count, datatype)); });
}

int MPI_File_prefetch_write_at(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype) {
  return onFile(fh, [&](PrefetchCall &call) { call.writeAt(offset, bytesOf(count, datatype)); });
}

int MPI_File_prefetch_read(MPI_File fh, void *buffer, int count, MPI_Datatype datatype,
                           size_t *got) {
  Brought brought;
  onFile(fh, [&](PrefetchCall &call) { brought = call.bring(buffer, count, datatype); });
  if (got != nullptr)
    *got = brought.bytes;
  return MPI_SUCCESS;
}

int MPI_File_prefetch_read_at(MPI_File fh, MPI_Offset offset, void *buffer, int count,
                              MPI_Datatype datatype, size_t *got) {
  Brought brought;
  onFile(fh, [&](PrefetchCall &call) { brought = call.bringAt(offset, buffer, count, datatype); });
  if (got != nullptr)
    *got = brought.bytes;
  return MPI_SUCCESS;
}

int MPI_File_prefetch_sync(MPI_File fh) {
  return onFile(fh, [&](PrefetchCall &call) { call.sync(); });
}
