// SPDX-License-Identifier: Apache-2.0
#include "calls/Guarded.h"
#include "calls/PreCall.h"
#include "forerun/runtime.h"
#include "thread/Entry.h"

/// \file
/// What the pre-execution thread calls to stay tied to the main thread. Elsewhere these do
/// nothing.

using forerun::CallId;
using forerun::entered;
using forerun::Entry;
using forerun::PreCall;
using forerun::PreThread;

extern "C" {

int forerun_pre_at(int site) {
  PreThread *self = entered<Entry::at>();
  return self != nullptr && !PreCall::arriveAt(*self, site).passed ? 1 : 0;
}

MPI_File forerun_pre_open(int site) {
  PreThread *self = entered<Entry::open>();
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
  PreThread *self = entered<Entry::sync>();
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
  PreThread *self = entered<Entry::own_elsewhere>();
  return self != nullptr && place != nullptr ? self->own(place, bytes) : place;
}

void forerun_pre_lend(const volatile void *from, size_t bytes) {
  if (PreThread *self = entered<Entry::lend>())
    self->lend(const_cast<void *>(from), bytes); // NOLINT: only its address counts
}

void forerun_pre_exit(void) {
  if (PreThread *self = entered<Entry::exit>())
    self->exit();
}

void forerun_pre_end(const char *why) {
  if (PreThread *self = entered<Entry::end>())
    self->end(why);
}
}
