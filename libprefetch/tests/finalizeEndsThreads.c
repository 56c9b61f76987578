/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/prefetch.h"
#include "forerun/runtime.h"

#include <dirent.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* After MPI_Finalize no thread of Forerun is left, so that a program whose main function ends by
 * pthread_exit does end: at once, or when its own last thread has ended. Until then files can be
 * read through the cache, even by functions that MPI_Finalize calls. The first argument names a
 * file to be made; each rank adds its number. The second one says what finalizes: MPI, or PMPI (the
 * program calls PMPI_Finalize). */

enum { BYTES = 1 << 20 };

static char path[4096];
static int failures;

static void expect(int good, const char *what) {
  if (good)
    return;
  printf("not so: %s\n", what);
  ++failures;
}

static int threadsOfForerun(void) {
  int threads = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
    char name[300] = "", said[64] = "";
    snprintf(name, sizeof name, "/proc/self/task/%s/comm", task->d_name);
    FILE *comm = fopen(name, "r");
    if (comm == NULL)
      continue; /* "." and ".." */
    if (fgets(said, sizeof said, comm) != NULL && strncmp(said, "forerun", 7) == 0)
      ++threads;
    fclose(comm);
  }
  if (tasks != NULL)
    closedir(tasks);
  return threads;
}

static void readAnnounced(void) {
  static char bytes[BYTES];
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  memset(bytes, 'x', BYTES);
  MPI_File_write_at(file, 0, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_prefetch_at(file, 0, BYTES, MPI_BYTE);
  memset(bytes, 0, BYTES);
  MPI_File_read_at(file, 0, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  expect(bytes[0] == 'x' && bytes[BYTES - 1] == 'x', "what was written is read");
  int threads = 0; /* one that has just been started has no name yet */
  for (int tries = 0; tries < 1000 && (threads = threadsOfForerun()) == 0; ++tries)
    usleep(10000);
  expect(threads > 0, "there is a thread that fetches");
  MPI_File_close(&file);
}

static int atFinalize(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  readAnnounced();
  return MPI_SUCCESS;
}

/* For ever: it is ended. */
static void pre(void *argument) {
  (void)argument;
  forerun_pre_sync(0);
}

static void *later(void *argument) {
  usleep(50000);
  expect(threadsOfForerun() == 0, "no thread of Forerun has come back");
  if (failures != 0)
    exit(1);
  return argument;
}

int main(int argc, char **argv) {
  int rank = 0, key = MPI_KEYVAL_INVALID;
  forerun_main_MPI_Init(&argc, &argv);
  forerun_main_launch(pre, NULL, 0, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  readAnnounced();
  /* Attributes are deleted in reverse order: this one before MPI-IO's own, which exists since the
   * first open. */
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, atFinalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  if (strcmp(argv[2], "PMPI") == 0)
    PMPI_Finalize();
  else
    MPI_Finalize();
  expect(threadsOfForerun() == 0, "no thread of Forerun is left");
  remove(path);
  if (failures != 0)
    return 1;
  fflush(stdout);
  pthread_t thread;
  pthread_create(&thread, NULL, later, NULL);
  pthread_exit(NULL);
}
