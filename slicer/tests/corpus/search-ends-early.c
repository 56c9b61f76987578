/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a depth-first search in a tree of records ends where the record is found.
 * The slicer must fetch each record, for the offsets in it and for the end; the thread is never
 * ahead of the program, and must not slow it down. */
#include <mpi.h>
#include <stdio.h>

enum { kChildren = 3, kApart = 4096, kNodes = 1 + 3 + 9 + 27 + 81 + 243 + 729, kWanted = 529 };

struct Record {
  long id;
  int children, grade;
  long at[kChildren];
};

static MPI_File file;
static long looked;

static long placeOf(long id) { return id * 100 % kNodes * kApart; }

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (long id = 0; id < kNodes; id++) {
    struct Record record = {id, 0, (int)(id % 7) + 1, {0}};
    for (long child = id * kChildren + 1; child <= (id + 1) * kChildren && child < kNodes; child++)
      record.at[record.children++] = placeOf(child);
    fseek(out, placeOf(id), SEEK_SET);
    fwrite(&record, sizeof record, 1, out);
  }
  fclose(out);
}

static int search(long at, long wanted) {
  struct Record record;
  MPI_File_read_at(file, at, &record, sizeof record, MPI_BYTE, MPI_STATUS_IGNORE);
  looked += record.grade;
  if (record.id == wanted)
    return 1;
  for (int i = 0; i < record.children; i++)
    if (search(record.at[i], wanted))
      return 1;
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("search-ends-early.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, "search-ends-early.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int found = search(0, kWanted + rank);
  long sum = found * looked, total = 0;
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("search-ends-early %ld\n", total);
  MPI_Finalize();
  return 0;
}
