// SPDX-License-Identifier: Apache-2.0
#include "calls/MpiFilePrefetch.h"

#include "calls/Guarded.h"
#include "calls/PrefetchCall.h"
#include "calls/TheProcess.h"
#include "forerun/prefetch.h"
#include "thread/PreThread.h"
#include "types/DataLayout.h"

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

/// A file that the pre-execution thread has opened, or that was handed to it open. Null: it has no
/// cache.
PreFile *fileAhead(PreFiles &files, const HandleTable &handles, MPI_File fh) {
  if (PreFile *file = files.find(fh))
    return file;
  const forerun_handle *handle = handles.find(fh);
  if (handle == nullptr)
    return nullptr;
  PreThread::self();                        // an open is added
  const PreThread::Unstoppable unstoppable; // it allocates
  return &files.open(describe(*handle, handle->generation.load(std::memory_order_acquire)));
}

/// Without a lock: this thread may be ended anywhere.
template <typename Act>
void actAhead(PreThread &self, const HandleTable &handles, MPI_File fh, const Act &act) {
  PreFile *file = fileAhead(self.files(), handles, fh);
  if (file == nullptr)
    return;
  const CallId id = self.current();
  Check *const check = theCheck();
  PrefetchCall call(file->opened, file->pointer, self.stream(), id, self.progress().hasPassed(id),
                    check != nullptr ? &check->ahead() : nullptr);
  act(call);
}

/// Finds the file and the side that the calling thread is on. Without a cache there is nothing to
/// do.
template <typename Act> int onFile(MPI_File fh, const Act &act) {
  guarded([&] {
    CacheHost &host = theProcess().host();
    if (PreThread *self = PreThread::predicting())
      actAhead(*self, host.handles(), fh, act);
    else if (forerun_handle *handle = host.handles().find(fh))
      actByHand(host, *handle, act);
  });
  return MPI_SUCCESS;
}

/// A private read; it fails for a file that is not in the table.
template <typename Bring> Brought bring(MPI_File fh, const Bring &how) {
  Brought brought{0, true};
  onFile(fh, [&](PrefetchCall &call) { brought = how(call); });
  return brought;
}

/// The size of a count of a datatype. For a derived datatype, MPI is asked.
std::uint64_t bytesOf(int count, MPI_Datatype datatype) {
  const PreThread::Unstoppable unstoppable;
  return dataBytes(count, datatype);
}

} // namespace

void setHandView(HandleTable &handles, forerun_handle &handle, MPI_Offset displacement,
                 MPI_Datatype etype, MPI_Datatype filetype) {
  const MutexLock lock(handles.handMutex());
  const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
  handle.hand.follow(describe(handle, generation));
  handle.hand.setView(displacement, etype, filetype);
}

Brought bring(MPI_File fh, void *buffer, int count, MPI_Datatype datatype) {
  return bring(fh, [&](PrefetchCall &call) { return call.bring(buffer, count, datatype); });
}

Brought bringOrdered(MPI_File fh, void *buffer, int count, MPI_Datatype datatype) {
  return bring(fh, [&](PrefetchCall &call) { return call.bringShared(buffer, count, datatype); });
}

Brought bringAt(MPI_File fh, MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype) {
  return bring(fh,
               [&](PrefetchCall &call) { return call.bringAt(offset, buffer, count, datatype); });
}

Brought count(MPI_File fh, int count, MPI_Datatype datatype) {
  const std::uint64_t bytes = bytesOf(count, datatype);
  return bring(fh, [&](PrefetchCall &call) { return call.count(bytes); });
}

Brought countAt(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype) {
  const std::uint64_t bytes = bytesOf(count, datatype);
  return bring(fh, [&](PrefetchCall &call) { return call.countAt(offset, bytes); });
}

} // namespace forerun

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
  const forerun::Brought brought = forerun::bring(fh, buffer, count, datatype);
  if (got != nullptr)
    *got = brought.bytes;
  return MPI_SUCCESS;
}

int MPI_File_prefetch_read_at(MPI_File fh, MPI_Offset offset, void *buffer, int count,
                              MPI_Datatype datatype, size_t *got) {
  const forerun::Brought brought = forerun::bringAt(fh, offset, buffer, count, datatype);
  if (got != nullptr)
    *got = brought.bytes;
  return MPI_SUCCESS;
}

int MPI_File_prefetch_sync(MPI_File fh) {
  return onFile(fh, [&](PrefetchCall &call) { call.sync(); });
}
