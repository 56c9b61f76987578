/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: helpers ask the file where its pointer is and how long it is, as readers of records do.
 * The pre-execution thread must know the answers itself: handed over, each would come only when
 * the main thread is there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kRecord = 4096, kRecords = 180, kStepUs = 500 };

static MPI_Offset bytesLeft(MPI_File file) {
  MPI_Offset size, position;
  MPI_File_get_size(file, &size);
  MPI_File_get_position(file, &position);
  return size - position;
}

/* The next record, or what is left of it. */
static int readRecord(MPI_File file, unsigned char *record) {
  const MPI_Offset left = bytesLeft(file);
  const int bytes = left < kRecord ? (int)left : kRecord;
  MPI_File_read(file, record, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  return bytes;
}

/* Whether there was anything to go over. */
static int skipRecords(MPI_File file, int records) {
  MPI_Offset position;
  if (bytesLeft(file) <= (MPI_Offset)records * kRecord)
    return 0;
  MPI_File_get_position(file, &position);
  MPI_File_seek(file, position + (MPI_Offset)records * kRecord, MPI_SEEK_SET);
  return 1;
}

static long sumOf(const unsigned char *record, int bytes) {
  long sum = 0;
  for (int i = 0; i < bytes; i++)
    sum += record[i];
  usleep(kStepUs);
  return sum;
}

static void make(const char *path, unsigned char *record) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int i = 0; i < kRecords; i++) {
    for (int k = 0; k < kRecord; k++)
      record[k] = (unsigned char)(i * 7 + k);
    MPI_File_write(file, record, i + 1 < kRecords ? kRecord : kRecord / 3, MPI_BYTE,
                   MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  const char *path = "position-in-helpers.dat";
  unsigned char *record = malloc(kRecord);
  int rank;
  long sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    make(path, record);
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_seek(file, (MPI_Offset)rank * kRecord, MPI_SEEK_SET);
  do
    sum += sumOf(record, readRecord(file, record)) * (rank + 1);
  while (skipRecords(file, 1 + rank % 2));
  MPI_File_close(&file);
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("position-in-helpers %ld\n", all);
  free(record);
  MPI_Finalize();
  return 0;
}
