/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: rank 0 chooses the parameters and broadcasts them, packed in a structure.
 * The slicer must get them on every rank: by a broadcast of its own or from the main thread. */
#include <mpi.h>
#include <stdio.h>

struct Parameters {
  int first, step, length;
  double scale;
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[32];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "bcast-parameters.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; rank == 0 && i < 50; i++) {
    for (int k = 0; k < 32; k++)
      values[k] = i * k % 59;
    MPI_File_write(file, values, 32, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Parameters parameters = {0};
  if (rank == 0) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    parameters.first = 5;
    parameters.step = ranks + 1;
    parameters.length = 28;
    parameters.scale = 0.25;
  }
  MPI_Bcast(&parameters, (int)sizeof parameters, MPI_BYTE, 0, MPI_COMM_WORLD);

  MPI_File_open(MPI_COMM_WORLD, "bcast-parameters.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0;
  for (int block = parameters.first + rank; block < 50; block += parameters.step) {
    MPI_File_read_at(file, block * 128, values, parameters.length, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < parameters.length; k++)
      sum += values[k] * parameters.scale;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("bcast-parameters %.2f\n", total);
  MPI_Finalize();
  return 0;
}
