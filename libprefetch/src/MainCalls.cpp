// SPDX-License-Identifier: Apache-2.0
#include "Runtime.h"
#include "forerun/runtime.h"

#include <algorithm>

/// \file
/// What the main thread calls. With Forerun off each does what the call it replaces would have
/// done.

using forerun::Progress;
using forerun::Runtime;

extern "C" {

int forerun_main_init(int *argc, char ***argv) {
  Runtime &runtime = Runtime::get();
  if (!runtime.mayLaunch())
    return MPI_Init(argc, argv);
  int provided = MPI_THREAD_SINGLE;
  const int rc = MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  if (rc == MPI_SUCCESS)
    runtime.mpiIsUpEverywhere();
  return rc;
}

int forerun_main_init_thread(int *argc, char ***argv, int required, int *provided) {
  Runtime &runtime = Runtime::get();
  if (!runtime.mayLaunch())
    return MPI_Init_thread(argc, argv, required, provided);
  const int rc =
      MPI_Init_thread(argc, argv, std::max<int>(required, MPI_THREAD_MULTIPLE), provided);
  if (rc == MPI_SUCCESS)
    runtime.mpiIsUpEverywhere();
  return rc;
}

void forerun_main_launch(void (*pre)(void *argument), const void *data, size_t bytes, int sites) {
  Runtime::get().launch(pre, data, bytes, sites);
}

int forerun_main_done(int site, int rc) {
  Runtime &runtime = Runtime::get();
  Progress *progress = runtime.progress();
  if (progress == nullptr)
    return rc;
  const MPI_File opened = runtime.takeOpened();
  if (opened != MPI_FILE_NULL && rc == MPI_SUCCESS)
    progress->passOpen(site, opened);
  else
    progress->pass(site);
  return rc;
}
}
