/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: C as it was written around 1990: definitions in the old form, types and functions that are
 * not declared, numbers for pointers, returns with and without values. All of it is warned of and
 * means what it did. */
#include <mpi.h>
#include <stdio.h>

#define BLOCK 36
#define BLOCKS 30

static rank, step = 3;
static MPI_File file;
int *remembered = 0;

static MPI_Offset placeOf(block) { return (MPI_Offset)block * BLOCK * sizeof(int); }

/* Its caller has not seen it. */
readBlock(block, values) int block;
int *values;
{
  MPI_File_read_at(file, placeOf(block), values, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
  remembered = values[0] ? values : step - 3;
  if (block < 0)
    return;
  return values[BLOCK - 1];
}

void nothing(value) { return value; }

descending(a, b) int *a, *b;
{
  return *b - *a;
}

static long work() {
  int order[BLOCKS], values[BLOCK], i;
  char text[20];
  long sum = 0;
  for (i = 0; i < BLOCKS; i++)
    order[i] = i * 7 % BLOCKS;
  qsort(order, (long)BLOCKS, sizeof(int), descending);
  strcpy(text, "12");
  for (i = 0; i < BLOCKS - atoi(text); i++)
    sum += readAgain(order[i], values) + values[1] * i;
  nothing(3);
  return sum;
}

readAgain(block, values) int *values;
{
  return readBlock(block, values);
}

static void makeInput() {
  int values[BLOCK], b, i;
  MPI_File_open(MPI_COMM_WORLD, "old-style.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (b = 0; rank == 0 && b < BLOCKS; b++) {
    for (i = 0; i < BLOCK; i++)
      values[i] = b * 5 - i % 11;
    MPI_File_write_at(file, placeOf(b), values, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

main(argc, argv) char **argv;
{
  long sum, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  makeInput();
  MPI_File_open(MPI_COMM_WORLD, "old-style.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  sum = work();
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("old-style %ld\n", total);
  MPI_Finalize();
  exit(0);
}
