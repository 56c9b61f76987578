// SPDX-License-Identifier: Apache-2.0
/// \file
/// Preloaded into programs of tests: a rank that waits for a message sleeps now and then, instead of polling all the
/// time. Tests run side by side, with more ranks than there are cores, and whoever polls keeps others from computing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/// Polls without a message before the thread yields its core, and before it sleeps.
enum { kBeforeYield = 50, kBeforeSleep = 250 };
static const struct timespec kNap = {.tv_sec = 0, .tv_nsec = 50000};

typedef unsigned Progress(void *worker);

/// UCX's function, by which MPICH waits: returns how much has happened.
// NOLINTNEXTLINE(readability-identifier-naming): UCX's name
__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker) {
  static _Atomic(Progress *) found;
  static _Thread_local unsigned polls;
  Progress *progress = found;
  if (!progress)
    found = progress = (Progress *)dlsym(RTLD_NEXT, "ucp_worker_progress");
  unsigned happened = progress(worker);
  if (happened)
    polls = 0;
  else if (polls < kBeforeYield)
    polls++;
  else if (polls++ < kBeforeSleep)
    sched_yield();
  else
    nanosleep(&kNap, NULL);
  return happened;
}
