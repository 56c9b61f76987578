// SPDX-License-Identifier: Apache-2.0
#include "calls/Guarded.h"
#include "calls/PreCall.h"
#include "forerun/runtime.h"

/// \file
/// What the pre-execution thread calls to stay tied to the main thread. Elsewhere these do
/// nothing.

using forerun::CallId;
using forerun::PreCall;
using forerun::PreThread;

extern "C" {

int forerun_pre_at(int site) {
  PreThread *self = PreThread::predicting();
  return self != nullptr && !PreCall::arriveAt(*self, site).passed ? 1 : 0;
}

MPI_File forerun_pre_open(int site) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return MPI_FILE_NULL;
  const CallId call = self->arrive(site);
  self->waitUntilPassed(call);
  const forerun::OpenedFile opened = self->progress().opened(call);
  if (opened.file != MPI_FILE_NULL)
    forerun::guarded([&] {
      const PreThread::Unstoppable unstoppable; // it allocates
      self->files().open(opened);
    });
  return opened.file;
}

void forerun_pre_sync(int site) {
  PreThread *self = PreThread::self();
  if (self == nullptr)
    return;
  const forerun::CallId call = self->arrive(site);
  self->bringAllThatIsLeft();
  self->waitUntilPassed(call);
}

void forerun_pre_know_globals(struct forerun_pre_globals *globals) {
  forerun::Fence::know(*globals);
}

void *forerun_pre_own_elsewhere(const volatile void *to, size_t bytes) {
  void *const place = const_cast<void *>(to); // NOLINT: what it points to is about to be written
  PreThread *self = PreThread::predicting();
  return self != nullptr && place != nullptr ? self->own(place, bytes) : place;
}

void forerun_pre_lend(const volatile void *from, size_t bytes) {
  if (PreThread *self = PreThread::predicting())
    self->lend(const_cast<void *>(from), bytes); // NOLINT: only its address counts
}

void forerun_pre_exit(void) {
  if (PreThread *self = PreThread::self())
    self->exit();
}

void forerun_pre_end(const char *why) {
  if (PreThread *self = PreThread::self())
    self->end(why);
}
}
