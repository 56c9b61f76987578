/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: where the main thread hands over what a call has brought, it is where the call has put it,
 * though the call has changed what its own arguments were computed from. */
#include <mpi.h>
#include <stdio.h>

enum { kNumbers = 4000, kSteps = 40 };

int main(int argc, char **argv) {
  static int last, at[4];
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "arguments-that-the-call-changes.dat",
                MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (rank == 0)
    for (int i = 0; i < kNumbers; i++)
      MPI_File_write_at(file, 4 * i, &i, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  long sum = 0;
  for (int i = 0; i < kSteps; i++) {
    char line[64];
    snprintf(line, sizeof line, "%d %d", 900000000 + i, i * 90 + rank);
    last = 1;
    if (i % 2 == 0 && sscanf(line, "%d %d", &last, &at[last]) == 2) {
      int number = 0;
      MPI_File_read_at(file, 4 * at[1], &number, 1, MPI_INT, MPI_STATUS_IGNORE);
      sum += number;
    }
    int box[8] = {0}, sent[3] = {800000000 + i, i * 7 + rank, i * 3};
    MPI_Request request;
    MPI_Isend(sent, 3, MPI_INT, 0, i, MPI_COMM_SELF, &request);
    MPI_Recv(box + box[0], 3, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int other = 0;
    MPI_File_read_at(file, 4 * (box[1] + box[2]), &other, 1, MPI_INT, MPI_STATUS_IGNORE);
    sum += other;
  }
  MPI_File_close(&file);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("arguments-that-the-call-changes %ld\n", total);
  MPI_Finalize();
  return 0;
}
