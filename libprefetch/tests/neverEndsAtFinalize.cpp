// SPDX-License-Identifier: Apache-2.0
#include "base/MpiGate.h"
#include "calls/TheProcess.h"
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <atomic>
#include <cstring>
#include <mpi.h>
#include <unistd.h>

// MPI_Finalize comes while a pre-execution thread is where it cannot be ended, and does not leave
// that: it computes, or sleeps, or calls MPI for ever (the argument). MPI_Finalize returns, the
// program ends as it would, and the thread is not in MPI any more.

namespace {

std::atomic<bool> isThere{false};
std::atomic<long> inMpi{0};

void stay(void *argument) {
  const char *const how = *static_cast<const char **>(argument);
  const forerun::PreThread::Unstoppable unstoppable;
  isThere = true;
  while (std::strcmp(how, "sleeps") == 0)
    pause();
  for (std::atomic<long> turns{0};; ++turns) {
    if (std::strcmp(how, "calls") != 0)
      continue;
    const forerun::InMpi inside;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_free(&type);
    ++inMpi;
  }
}

} // namespace

int main(int argc, char **argv) {
  forerun::theProcess().noteDoor(true);
  if (argc != 2 || forerun_main_MPI_Init(&argc, &argv) != MPI_SUCCESS)
    return 1;
  forerun_main_launch(stay, static_cast<const void *>(&argv[1]), sizeof argv[1], 1);
  while (!isThere)
    usleep(100);
  if (MPI_Finalize() != MPI_SUCCESS)
    return 1;
  const long calls = inMpi;
  usleep(20'000);
  return inMpi == calls ? 0 : 1;
}
