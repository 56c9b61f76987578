/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an interpreter that jumps by a table of labels decides what is read. */
#include <mpi.h>
#include <stdio.h>

enum { kBlock = 40 };
enum { kRead, kSkip, kRewind, kEnd };

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (int i = 0; i < 100 * kBlock; i++)
    fwrite(&i, sizeof i, 1, out);
  fclose(out);
}

static long run(MPI_File file, const unsigned char *code) {
  static void *const labels[] = {&&read, &&skip, &&rewind, &&end};
  int values[kBlock];
  long at = 0, sum = 0;
  goto *labels[*code];
read:
  MPI_File_read_at(file, at, values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < kBlock; i++)
    sum += values[i] ^ i;
  at += (long)sizeof values;
  goto *labels[*++code];
skip:
  at += *++code * (long)sizeof values;
  goto *labels[*++code];
rewind:
  at = 0;
  goto *labels[*++code];
end:
  return sum;
}

int main(int argc, char **argv) {
  static const unsigned char code[] = {kRead,   kRead, kSkip, 3,     kRead,
                                       kRewind, kSkip, 9,     kRead, kEnd};
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("computed-goto.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "computed-goto.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = run(file, code + rank % 2), total = 0;
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("computed-goto %ld\n", total);
  MPI_Finalize();
  return 0;
}
