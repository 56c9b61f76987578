/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an index in the file says where the records are and how long.
 * The slicer must fetch the index into memory of its own, and only prefetch the records. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct Entry {
  long offset;
  int count, kind;
};

enum { kRecords = 32 };

static void makeInput(const char *path) {
  struct Entry entries[kRecords];
  int values[64];
  long offset = (long)sizeof entries + 8;
  FILE *out = fopen(path, "wb");
  long records = kRecords;
  fwrite(&records, sizeof records, 1, out);
  for (int r = 0; r < kRecords; r++) {
    int place = r * 11 % kRecords; /* the order of the records is not that of the index */
    entries[place].offset = offset;
    entries[place].count = 20 + r;
    entries[place].kind = r % 3;
    offset += entries[place].count * (long)sizeof(int);
  }
  fwrite(entries, sizeof *entries, kRecords, out);
  for (int r = 0; r < kRecords; r++) {
    for (int i = 0; i < 20 + r; i++)
      values[i] = r * 9 + i;
    fwrite(values, sizeof *values, (size_t)(20 + r), out);
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("index-in-file.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  long records, sum = 0, total = 0;
  MPI_File_open(MPI_COMM_WORLD, "index-in-file.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at(file, 0, &records, 1, MPI_LONG, MPI_STATUS_IGNORE);
  struct Entry *entries = malloc((size_t)records * sizeof *entries);
  MPI_File_read_at(file, 8, entries, (int)(records * (long)sizeof *entries), MPI_BYTE,
                   MPI_STATUS_IGNORE);
  for (long r = rank % 2; r < records; r++) {
    if (entries[r].kind == 2)
      continue;
    MPI_File_read_at(file, entries[r].offset, values, entries[r].count, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < entries[r].count; i++)
      sum += values[i] * (r + 1);
  }
  MPI_File_close(&file);
  free(entries);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("index-in-file %ld\n", total);
  MPI_Finalize();
  return 0;
}
