/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What MPI_File_get_info reports is what is in force: a hint that cannot take effect is not
 * reported, and FORERUN_DEBUG=1 says so. The leash is as long as the first file's hint says. The
 * one argument names a file to be made; each rank adds its number. */

enum { LEASH = 3000 };

static int failures;
static atomic_int calls;
static FILE *said; /* what this process writes to stderr */

static void expect(int good, const char *what) {
  if (good)
    return;
  printf("not so: %s\n", what);
  ++failures;
}

static MPI_File openWith(const char *path, int count, const char *hints[][2]) {
  MPI_File file;
  MPI_Info info;
  MPI_Info_create(&info);
  for (int i = 0; i < count; i++)
    MPI_Info_set(info, hints[i][0], hints[i][1]);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  MPI_Info_free(&info);
  return file;
}

static void expectInForce(MPI_File file, const char *hint, const char *value) {
  char is[MPI_MAX_INFO_VAL + 1] = "(none)";
  int found = 0;
  MPI_Info info;
  MPI_File_get_info(file, &info);
  MPI_Info_get(info, hint, MPI_MAX_INFO_VAL, is, &found);
  MPI_Info_free(&info);
  if (strcmp(is, value) != 0)
    printf("%s is %s, and not %s\n", hint, is, value);
  expect(strcmp(is, value) == 0, "the hint in force is reported");
}

/* How many lines name the hint and the file. */
static int linesAbout(const char *hint, const char *path) {
  char line[1024];
  int lines = 0;
  fseek(said, 0, SEEK_SET);
  while (fgets(line, sizeof line, said) != NULL)
    lines += strstr(line, hint) != NULL && strstr(line, path) != NULL;
  fseek(said, 0, SEEK_END);
  return lines;
}

static void runAhead(void *unused) {
  (void)unused;
  for (;;) {
    forerun_pre_at(0);
    atomic_fetch_add(&calls, 1);
  }
}

int main(int argc, char **argv) {
  char path[512];
  int rank;
  if (argc < 2 || forerun_main_MPI_Init(&argc, &argv) != MPI_SUCCESS)
    return 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  said = tmpfile();
  const int screen = dup(STDERR_FILENO);
  dup2(fileno(said), STDERR_FILENO);

  MPI_File first = openWith(path, 5,
                            (const char *[][2]){{"forerun_cache_size", "8M"},
                                                {"forerun_leash_calls", "3000"},
                                                {"forerun_watchdog", "99"},
                                                {"forerun_report", "1"},
                                                {"forerun_debug", "1"}});
  expectInForce(first, "forerun_cache_size", "8M");
  expectInForce(first, "forerun_leash_calls", "3000");
  expectInForce(first, "forerun_watchdog", "10");
  expectInForce(first, "forerun_report", "0");
  expectInForce(first, "forerun_debug", "1"); /* as the environment says */
  expect(linesAbout("forerun_watchdog", path) == 1, "the watchdog's hint has no effect");
  expect(linesAbout("forerun_report", path) == 1, "the report's hint has no effect");
  expect(linesAbout("forerun_debug", path) == 0, "it has the value of the environment");
  expect(linesAbout("forerun_cache_size", path) == 0, "the first file decides on the cache");

  MPI_File second = openWith(path, 4,
                             (const char *[][2]){{"forerun_cache_size", "1M"},
                                                 {"forerun_in_flight", "32"},
                                                 {"forerun_leash_calls", "7"},
                                                 {"forerun_cache", "on"}});
  expectInForce(second, "forerun_cache_size", "8M");
  expectInForce(second, "forerun_leash_calls", "3000");
  expectInForce(second, "forerun_cache", "on");
  expectInForce(first, "forerun_cache", "auto");
  expect(linesAbout("forerun_cache_size", path) == 1, "the cache is there already");
  expect(linesAbout("forerun_leash_calls", path) == 1, "the leash is as it was");
  expect(linesAbout("forerun_in_flight", path) == 0, "that is what is in force");

  forerun_main_launch(runAhead, NULL, 0, 1);
  for (int tenths = 0; tenths < 100 && calls < LEASH; tenths++)
    usleep(100000);
  usleep(50000);
  if (calls != LEASH)
    printf("%d calls ahead\n", atomic_load(&calls));
  expect(calls == LEASH, "the hint lengthens the leash");

  MPI_File_close(&second);
  MPI_File_close(&first);
  dup2(screen, STDERR_FILENO);
  unlink(path);
  MPI_Finalize();
  return failures != 0;
}
