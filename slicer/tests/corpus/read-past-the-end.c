/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: reads at the file pointer that the end of the file cuts, which leave the pointer there,
 * and at last one that fails. The slicer must go on from where the program is. */
#include <mpi.h>
#include <stdio.h>

enum { kInts = 5000, kLength = 300 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, data[kInts];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-past-the-end.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; i < kInts; i++)
    data[i] = i * 7 % 1009;
  if (rank == 0)
    MPI_File_write(file, data, kInts, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-past-the-end.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0;
  for (int views = 0; views < 2; views++) {
    for (int i = 0; i < 8; i++) {
      MPI_File_seek(file, views ? -40 - i : -200 - 4 * i, MPI_SEEK_END);
      MPI_File_read(file, data, kLength, MPI_INT, MPI_STATUS_IGNORE);
      sum = (sum * 31 + data[0]) % 1000003;
      MPI_File_seek(file, views ? -500 * (i + 1) - rank : -2000 * (i + 1) - 4 * rank, MPI_SEEK_CUR);
      MPI_File_read(file, data, kLength, MPI_INT, MPI_STATUS_IGNORE);
      sum = (sum * 31 + data[kLength - 1]) % 1000003;
    }
    MPI_File_set_view(file, 80, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  }
  int code = MPI_File_read_at(file, 4, data, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE);
  long own = 2 * sum * (rank + 1) + (code == MPI_SUCCESS), total = 0;
  MPI_Reduce(&own, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%ld\n", total);
  MPI_File_close(&file);
  return MPI_Finalize();
}
