// SPDX-License-Identifier: Apache-2.0
#include "calls/PreCall.h"

#include "calls/TheProcess.h"

namespace forerun {

PreCall PreCall::arriveAt(PreThread &thread, int site) {
  const CallId id = thread.arrive(site);
  bool passed = thread.progress().hasPassed(id);
  if (!passed) {
    thread.holdLeash();
    passed = thread.progress().hasPassed(id);
  }
  return {thread, id, passed};
}

PreCall PreCall::current(PreThread &thread) {
  const CallId id = thread.current();
  return {thread, id, thread.progress().hasPassed(id)};
}

std::optional<PrefetchCall> PreCall::prefetchCall(MPI_File fh) const {
  PreFile *file = thread.files().find(fh);
  if (file == nullptr) {
    const forerun_handle *handle = theProcess().host().handles().find(fh);
    if (handle == nullptr)
      return std::nullopt;
    PreThread::self();                        // an open is added
    const PreThread::Unstoppable unstoppable; // it allocates
    file =
        &thread.files().open(describe(*handle, handle->generation.load(std::memory_order_acquire)));
  }
  Check *const check = theCheck();
  return std::optional<PrefetchCall>(std::in_place, file->opened, file->pointer, thread.stream(),
                                     id, passed, check != nullptr ? &check->ahead() : nullptr);
}

} // namespace forerun
