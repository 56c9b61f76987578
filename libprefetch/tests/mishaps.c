/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/door.h"
#include "forerun/runtime.h"

#include <glob.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A program whose pre-execution thread (or main thread) fails in the way that the first argument
 * names. sameOutcome.py compares what it prints and how it ends with a run with Forerun off. */

/* Poses as a patched MPI-IO, without which nothing is launched. */
__attribute__((visibility("default"))) int forerun_mpiio_register(const forerun_door *door) {
  return door->version == FORERUN_DOOR_VERSION ? 0 : 1;
}

static void touchNothing(void) {
  volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *page = 1;
}

static int deeper(volatile char *above) {
  volatile char here[65536];
  here[0] = (char)(above[0] | 1);
  return here[0] == 0 ? 0 : deeper(here) + here[0];
}

static volatile int hasBegun;

static void pre(void *argument) {
  hasBegun = 1; /* and has its name */
  const char *kind = *(const char **)argument;
  if (strcmp(kind, "segv") == 0)
    touchNothing();
  if (strcmp(kind, "stack") == 0)
    deeper(&(char){0});
  if (strcmp(kind, "fpe") == 0)
    raise(SIGFPE);
  if (strcmp(kind, "ill") == 0)
    __builtin_trap();
  if (strcmp(kind, "abort") == 0)
    abort();
  if (strcmp(kind, "exit") == 0)
    exit(9);
  if (strcmp(kind, "_exit") == 0)
    _exit(9);
  if (strcmp(kind, "mpi-abort") == 0)
    MPI_Abort(MPI_COMM_WORLD, 9);
  if (strcmp(kind, "loop") == 0)
    for (volatile int forever = 1; forever;)
      ;
  /* Otherwise: waits for what never comes. */
  forerun_pre_sync(1);
}

/* Whether this process has a pre-execution thread. */
static int preThreadLives(void) {
  int lives = 0;
  glob_t tasks;
  if (glob("/proc/self/task/*/comm", 0, NULL, &tasks) != 0)
    return 0;
  for (size_t i = 0; i < tasks.gl_pathc; ++i) {
    char name[32] = "";
    FILE *file = fopen(tasks.gl_pathv[i], "r");
    if (file == NULL)
      continue;
    if (fgets(name, sizeof name, file) != NULL && strcmp(name, "forerun-pre\n") == 0)
      lives = 1;
    fclose(file);
  }
  globfree(&tasks);
  return lives;
}

static int is(const char *kind, const char *text) { return strcmp(kind, text) == 0; }

int main(int argc, char **argv) {
  int rank = 0;
  int size = 0;
  const char *kind = argc > 1 ? argv[1] : "";
  if (is(kind, "early"))
    forerun_main_launch(pre, (const void *)&kind, sizeof kind, 2);
  if (forerun_main_MPI_Init(&argc, &argv) != MPI_SUCCESS)
    return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (is(kind, "main-handler"))
    signal(SIGSEGV, _exit);
  forerun_main_launch(pre, (const void *)&kind, sizeof kind, 2);
  if (is(kind, "second"))
    forerun_main_launch(pre, (const void *)&kind, sizeof kind, 2);
  if (is(kind, "main-segv") || is(kind, "main-handler"))
    touchNothing();
  if (is(kind, "main-exit"))
    exit(4);

  /* Those that wait are ended by MPI_Finalize, all others end by themselves. */
  const int waits =
      is(kind, "wait") || is(kind, "second") || is(kind, "early") || is(kind, "profiler");
  const char *forerun = getenv("FORERUN");
  for (int ms = 0; !waits && forerun && strcmp(forerun, "1") == 0 && !hasBegun && ms < 2000; ++ms)
    usleep(1000);
  while (!waits && preThreadLives())
    sched_yield();
  int sum = 0;
  int done = forerun_main_done(0, MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  printf("rank %d of %d: %d, %s\n", rank, size, sum, done == MPI_SUCCESS ? "good" : "bad");
  fflush(stdout);
  if (is(kind, "profiler")) /* one that takes the call and passes it on itself */
    PMPI_Finalize();
  else
    MPI_Finalize();
  return 5;
}
