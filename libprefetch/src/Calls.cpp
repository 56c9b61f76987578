// SPDX-License-Identifier: Apache-2.0
#include "Calls.h"

#include "DataLayout.h"
#include "PrefetchCall.h"
#include "Runtime.h"
#include "forerun/prefetch.h"

#include <mutex>

namespace forerun {

namespace {

/// The calls by hand share a stream with one producer's end, and each file's pointer.
template <typename Act> void actByHand(forerun_handle &handle, const Act &act) {
  Runtime &runtime = Runtime::get();
  const std::lock_guard<std::mutex> lock(runtime.handles().handMutex());
  const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
  if (generation % 2 == 0)
    return;
  PrefetchCall call(handle, generation, handle.hand, runtime.handStream(), CallId{}, true);
  act(call);
}

/// Without a lock: this thread may be ended anywhere.
template <typename Act> void actAhead(forerun_handle &handle, const Act &act) {
  Runtime &runtime = Runtime::get();
  const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
  if (generation % 2 == 0)
    return;
  const CallId id = runtime.currentCall();
  const Progress *progress = runtime.progress();
  const bool passed = progress == nullptr || progress->hasPassed(id);
  PrefetchCall call(handle, generation, handle.pre, runtime.preStream(), id, passed);
  act(call);
}

/// Finds the file and the side that the calling thread is on. A file that is not in the table has
/// no cache: nothing is to be done.
template <typename Act> int onFile(MPI_File fh, const Act &act) {
  Runtime &runtime = Runtime::get();
  if (forerun_handle *handle = runtime.handles().find(fh)) {
    if (runtime.onPreThread())
      actAhead(*handle, act);
    else
      actByHand(*handle, act);
  }
  return MPI_SUCCESS;
}

/// A private read; of a file that is not in the table it fails.
template <typename Bring> Brought bring(MPI_File fh, const Bring &how) {
  Brought brought{0, true};
  onFile(fh, [&](PrefetchCall &call) { brought = how(call); });
  return brought;
}

/// What a count of a datatype amounts to. MPI is asked for the size of a derived datatype.
std::uint64_t bytesOf(int count, MPI_Datatype datatype) {
  const Runtime::Unstoppable unstoppable;
  return dataBytes(count, datatype);
}

} // namespace

// Not through onFile, which would start the courier for programs that never call by hand.
void setHandView(forerun_handle &handle, MPI_Offset displacement, MPI_Datatype etype,
                 MPI_Datatype filetype) {
  const std::lock_guard<std::mutex> lock(Runtime::get().handles().handMutex());
  const std::uint32_t generation = handle.generation.load(std::memory_order_acquire);
  beginPointer(handle.hand, handle, generation);
  setPointerView(handle.hand, displacement, etype, filetype);
}

Brought bring(MPI_File fh, void *buffer, int count, MPI_Datatype datatype) {
  return bring(fh, [&](PrefetchCall &call) { return call.bring(buffer, count, datatype); });
}

Brought bringAt(MPI_File fh, MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype) {
  return bring(fh,
               [&](PrefetchCall &call) { return call.bringAt(offset, buffer, count, datatype); });
}

void beginPrePointer(MPI_File fh) {
  if (forerun_handle *handle = Runtime::get().handles().find(fh))
    handle->pre.generation = 0;
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

// MPI-IO's one data representation, "native", is the only one that MPICH's MPI-IO knows.
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
