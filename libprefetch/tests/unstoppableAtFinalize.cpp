// SPDX-License-Identifier: Apache-2.0
#include "calls/TheProcess.h"
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <mpi.h>

// MPI_Finalize comes while a pre-execution thread is inside MPI, again and again: nothing hangs.

namespace {

void makeTypes(void *) {
  for (;;) {
    const forerun::PreThread::Unstoppable unstoppable;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
  }
}

} // namespace

int main(int argc, char **argv) {
  forerun::theProcess().noteDoor(true);
  if (forerun_main_MPI_Init(&argc, &argv) != MPI_SUCCESS)
    return 1;
  forerun_main_launch(makeTypes, nullptr, 0, 1);
  for (int i = 0; i < 20; ++i)
    MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
