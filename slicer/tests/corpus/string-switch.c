/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: words decide by strcmp, strncmp and strchr what is read.
 * The slicer must keep the comparisons and the text they look at. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kLength = 31, kBlocks = 64 };

static int blockFor(const char *word, int at) {
  if (!strcmp(word, "first"))
    return 0;
  if (!strcmp(word, "last"))
    return kBlocks - 1;
  if (!strncmp(word, "at:", 3))
    return word[3] - 'a';
  const char *plus = strchr(word, '+');
  return plus ? (at + (int)strlen(plus) * 2) % kBlocks : at + 1;
}

int main(int argc, char **argv) {
  static const char *const script[] = {"first", "next", "next",  "+",    "++++", "at:f",
                                       "next",  "last", "back+", "at:x", "+++"};
  MPI_Init(&argc, &argv);
  int rank;
  unsigned char values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("string-switch.dat", "wb");
    for (int i = 0; i < kLength * kBlocks; i++)
      fputc(i % 241, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "string-switch.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  int at = 0;
  char word[16];
  for (size_t w = (size_t)rank % 3; w < sizeof script / sizeof *script; w++) {
    strncpy(word, script[w], sizeof word - 1);
    word[sizeof word - 1] = '\0';
    if (rank % 2)
      strncat(word, "+", sizeof word - strlen(word) - 1);
    at = blockFor(word, at);
    MPI_File_read_at(file, at * kLength, values, kLength, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 5 + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("string-switch %ld\n", total);
  MPI_Finalize();
  return 0;
}
