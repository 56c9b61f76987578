/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the tests of forerun-check of which no two runs are the same; it reads nothing. Its
 * arguments say how the runs differ. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A value that differs in each run. */
static unsigned long stamp(void) { return (unsigned long)(MPI_Wtime() * 1e6); }

static void makeFile(const char *name, const char *text, unsigned long number) {
  FILE *file = fopen(name, "wb");
  fprintf(file, "begin\nrun %lu\n%s\n", number, text);
  fwrite(&number, sizeof number, 1, file);
  fclose(file);
}

/* As the launcher occasionally passes on what two ranks print. */
static void printAsOne(int rank, const char *both, const char *one) {
  int isChecked = getenv("FORERUN_CHECK") != NULL;
  const char *text = !isChecked ? one : rank == 0 ? both : "";
  if (write(STDOUT_FILENO, text, strlen(text)) < 0)
    abort();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc; i++) {
    char name[64];
    if (strcmp(argv[i], "glued") == 0)
      printAsOne(rank, "AA\n\n", "A\n");
    if (strcmp(argv[i], "lost") == 0)
      printAsOne(rank, "A\n\n", "A\n");
    if (rank != 0)
      continue;
    if (strcmp(argv[i], "time") == 0)
      printf("the sum is 5\nit took %.6f s\n", (double)stamp() / 1e6);
    if (strcmp(argv[i], "run") == 0)
      printf("the sum is 5\nrun %lu\n", stamp());
    if (strcmp(argv[i], "result") == 0)
      printf("the sum is %d\n", getenv("FORERUN_CHECK") != NULL);
    if (strcmp(argv[i], "file") == 0)
      makeFile("time.bin", "", stamp());
    if (strcmp(argv[i], "name") == 0) {
      snprintf(name, sizeof name, "log.%lu", stamp());
      makeFile(name, "", 0);
    }
  }
  MPI_Finalize();
  return 0;
}
