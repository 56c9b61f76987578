/* SPDX-License-Identifier: Apache-2.0 */
/* What the backends share (../backends). */
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>

enum kind { FLAG, NUMBER, LONG, TEXT };
struct option {
  const char *name, *help;
  enum kind kind;
  void *variable;
};
struct hints {
  int tasks, verbose, perProcess, collective;
  int64_t block, transfer, stamp;
  char *name, *info;
};
struct file;
struct backend {
  const char *name;
  struct option *(*options)(void **own, const void *from);
  int (*check)(const void *own);
  void (*take)(struct hints *hints);
  int (*begin)(void *own);
  void (*end)(void *own);
  struct file *(*create)(char *name, int flags, void *own);
  struct file *(*open)(char *name, int flags, void *own);
  int64_t (*transfer)(int write, struct file *file, int64_t *buffer, int64_t bytes, int64_t at,
                      void *own);
  void (*close)(struct file *file, void *own);
  void (*drop)(char *name, void *own);
  void (*flush)(struct file *file, void *own);
  int64_t (*size)(void *own, char *name);
  int (*space)(const char *path, struct statvfs *to, void *own);
  int (*makeDirectory)(const char *path, mode_t mode, void *own);
  int (*dropDirectory)(const char *path, void *own);
  int (*access)(const char *path, int mode, void *own);
  int (*look)(const char *path, struct stat *to, void *own);
  int (*makeNode)(char *path, void *own);
  int (*rename)(const char *from, const char *to, void *own);
};
extern FILE *output;
extern int rank, warningsAreErrors;
extern const struct backend *const backends[];
char *described(const char *name, int number, const void *where);
void parse(struct option *options, int count, char **words);

#define FAIL(...)                                                                                  \
  do {                                                                                             \
    fprintf(output, "error in %s, %s:%d: ", __func__, __FILE__, __LINE__);                         \
    fprintf(output, __VA_ARGS__);                                                                  \
    fprintf(output, ", errno %s\n", strerror(errno));                                              \
    MPI_Abort(MPI_COMM_WORLD, 1);                                                                  \
  } while (0)
#define WARN(...)                                                                                  \
  do {                                                                                             \
    fprintf(output, "warning in %s: ", __func__);                                                  \
    fprintf(output, __VA_ARGS__);                                                                  \
    fflush(output);                                                                                \
    if (warningsAreErrors)                                                                         \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
  } while (0)
#define CHECK(call, what)                                                                          \
  do {                                                                                             \
    int code = (call);                                                                             \
    if (code != MPI_SUCCESS) {                                                                     \
      char text[MPI_MAX_ERROR_STRING];                                                             \
      int length;                                                                                  \
      MPI_Error_string(code, text, &length);                                                       \
      FAIL("%s: %s", what, text);                                                                  \
    }                                                                                              \
  } while (0)
