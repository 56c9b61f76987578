/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each row is an entry of an index, read by itself, and the record that it names.
 * The slicer must fetch the entries and only prefetch the records; while the program waits for a
 * record, the thread reads the next entry. */
#include <mpi.h>
#include <stdio.h>

enum { kRows = 120, kApart = 4096, kRecord = 1024 };

struct Entry {
  long at, length;
};

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (long row = 0; row < kRows; row++) {
    const struct Entry entry = {(kRows + row * 49 % kRows) * kApart, 500 + row};
    fseek(out, row * kApart, SEEK_SET);
    fwrite(&entry, sizeof entry, 1, out);
    fseek(out, entry.at, SEEK_SET);
    for (int i = 0; i < kRecord; i++)
      putc((int)(row * 7 + i) % 128, out);
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("index-then-record.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "index-then-record.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int row = 0; row < kRows; row++) {
    struct Entry entry;
    char record[kRecord];
    MPI_File_read_at(file, (MPI_Offset)row * kApart, &entry, sizeof entry, MPI_BYTE,
                     MPI_STATUS_IGNORE);
    MPI_File_read_at(file, entry.at, record, (int)entry.length, MPI_BYTE, MPI_STATUS_IGNORE);
    for (long i = 0; i < entry.length; i++)
      sum += record[i] * (i + rank);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("index-then-record %ld\n", total);
  MPI_Finalize();
  return 0;
}
