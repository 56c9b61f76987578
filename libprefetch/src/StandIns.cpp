// SPDX-License-Identifier: Apache-2.0
#include "PreThread.h"
#include "forerun/runtime.h"

/// \file
/// What stands in for libc's functions with hidden state on the pre-execution thread. Elsewhere
/// these do nothing.

using forerun::PreThread;

extern "C" {

void *forerun_pre_malloc(size_t bytes) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->arena().allocate(bytes) : nullptr;
}

void *forerun_pre_calloc(size_t count, size_t bytes) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->arena().allocateZeroed(count, bytes) : nullptr;
}

void *forerun_pre_realloc(void *block, size_t bytes) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->arena().reallocate(block, bytes) : nullptr;
}

void forerun_pre_free(void *block) {
  if (PreThread *self = PreThread::self())
    self->arena().release(block);
}

void forerun_pre_srand(unsigned seed) { forerun_pre_srandom(seed); }

int forerun_pre_rand(void) { return static_cast<int>(forerun_pre_random()); }

void forerun_pre_srandom(unsigned seed) {
  if (PreThread *self = PreThread::self())
    self->random().seedRandom(seed);
}

long forerun_pre_random(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().random() : 0;
}

void forerun_pre_srand48(long seed) {
  if (PreThread *self = PreThread::self())
    self->random().seed48(seed);
}

double forerun_pre_drand48(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().drand48() : 0;
}

long forerun_pre_lrand48(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().lrand48() : 0;
}

long forerun_pre_mrand48(void) {
  PreThread *self = PreThread::self();
  return self != nullptr ? self->random().mrand48() : 0;
}
}
