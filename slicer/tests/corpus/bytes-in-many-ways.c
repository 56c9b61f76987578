/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: large blocks are read into allocated memory, and what decides on the next one is looked at in
 * many ways, or is freed, grown, or partly read again before anybody has looked. The program has a
 * handler for faults of its own. The slicer must keep it all, and each read must see the right bytes.
 */
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 8192, kBlocks = 60, kTurns = 60, kMany = 40 };

static MPI_File file;
static sigjmp_buf back;

static void onFault(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static int compare(const void *one, const void *other) {
  long a = *(const long *)one, b = *(const long *)other;
  return a < b ? -1 : a > b;
}

static void make(const char *name, int rank, int ranks) {
  long *values = malloc(kLength * sizeof *values);
  MPI_File made;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &made);
  for (long b = rank; b < kBlocks; b += ranks) {
    for (long i = 0; i < kLength; i++)
      values[i] = (b * 7919 + i * 31) % kBlocks;
    MPI_File_write_at(made, b * kLength * 8, values, kLength, MPI_LONG, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&made);
  free(values);
}

static int readAt(long element, long *into, int count) {
  MPI_Status status;
  MPI_File_read_at(file, element * 8, into, count, MPI_LONG, &status);
  MPI_Get_count(&status, MPI_LONG, &count);
  return count;
}

static long sortedMiddle(long *values) {
  qsort(values, kLength, sizeof *values, compare);
  return values[kLength / 2];
}

static long ofCopy(const long *values) {
  long part[100];
  memcpy(part, values + 4000, sizeof part);
  return part[5];
}

/* Inside the block, on pages of its own, and not. */
static long readAgainInside(long next, long *values) {
  readAt(next * kLength + 100, values + 2048, 4096);
  long sum = values[2048] + values[1] + values[7000];
  readAt(next * kLength, values, kLength);
  readAt(next * kLength + 7, values + 300, 2500);
  return sum + values[299] + values[300] + values[2799] + values[2800];
}

static long byDatatype(const long *values, long *into) {
  int places[64];
  MPI_Datatype type;
  for (int i = 0; i < 64; i++)
    places[i] = (int)values[i * 100] * kLength;
  MPI_Type_create_indexed_block(1, 16, places + 1, MPI_LONG, &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(file, 0, MPI_LONG, type, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, 0, into, 16, MPI_LONG, MPI_STATUS_IGNORE);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_Type_free(&type);
  return into[3];
}

static long ofMany(long next, int turn) {
  long *blocks[kMany];
  for (int i = 0; i < kMany; i++) {
    blocks[i] = malloc(kLength * sizeof(long));
    readAt((next + i) % kBlocks * kLength, blocks[i], kLength);
  }
  next = blocks[turn % kMany][turn];
  for (int i = 0; i < kMany; i++)
    free(blocks[i]);
  return next;
}

static long atTheEnd(long *values) {
  int count = readAt((long)kBlocks * kLength - 3000, values, kLength);
  return values[count - 1] + values[count];
}

static long asText(long *values) {
  char *text = (char *)values;
  text[kLength * 8 - 1] = 0;
  return (long)strlen(text) + (memchr(text, 3, kLength) != NULL);
}

static long moved(long next, long *values) {
  long *zeros = calloc(kLength, sizeof *zeros);
  readAt(next * kLength, zeros + 512, 4096);
  memmove(values, zeros, kLength * sizeof *values);
  free(zeros);
  return values[512] + values[0] + values[5000];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make("bytes-in-many-ways.dat", rank, ranks);
  long sum = 0, total = 0, next = rank;
  signal(SIGSEGV, onFault);
  if (sigsetjmp(back, 1) == 0)
    raise(SIGSEGV);
  else
    sum++;

  MPI_File_open(MPI_COMM_WORLD, "bytes-in-many-ways.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long *values = malloc(kLength * sizeof *values);
  for (int turn = 0; turn < kTurns; turn++) {
    sum += readAt(next * kLength, values, kLength);
    switch (turn % 10) {
    case 0:
      next = sortedMiddle(values);
      break;
    case 1:
      values = realloc(values, (kLength + (size_t)turn * 100) * sizeof *values);
      next = values[17];
      break;
    case 2:
      free(values);
      values = malloc(kLength * sizeof *values + 100000);
      next += 3;
      memset(values, 0, 1000);
      break;
    case 3:
      next = ofCopy(values);
      break;
    case 4:
      next = readAgainInside(next, values);
      break;
    case 5:
      next = byDatatype(values, values);
      break;
    case 6:
      next = ofMany(next, turn);
      break;
    case 7:
      next = atTheEnd(values);
      break;
    case 8:
      next = asText(values);
      break;
    default:
      next = moved(next, values);
    }
    next = (next % kBlocks + kBlocks) % kBlocks;
    sum += next * (turn + 1);
  }
  free(values);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("bytes-in-many-ways %ld\n", total);
  MPI_Finalize();
  return 0;
}
