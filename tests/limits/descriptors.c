/* SPDX-License-Identifier: Apache-2.0 */
/* descriptors FILE KIND: reads FILE, which it makes, with prefetches, and prints what it observes
 * of its descriptors. KIND is
 *   numbers  the number that the next descriptor would get, at each step
 *   limited  how many there are below a limit of 64 that is set before the first file is opened
 *   lowered  the same with a limit that is set after that
 *   closing  that it reads what is there after it has closed all that it does not know
 *   taking   the same after it has put a file of its own at the numbers that Forerun may have, in which
 *            nobody else writes */

#include <fcntl.h>
#include <forerun/prefetch.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT = 64, PIECES = 64, PIECE = 16384, ABOVE_ALL = 20000, FAR = 8192 };

static int next_number(void) {
  const int number = dup(0);
  close(number);
  return number;
}

static int count_to_be_had(void) {
  static int fds[LIMIT];
  int count = 0;
  while (count < LIMIT && (fds[count] = dup(0)) >= 0)
    ++count;
  for (int i = 0; i < count; ++i)
    close(fds[i]);
  return count;
}

static void limit(void) {
  const struct rlimit descriptors = {LIMIT, LIMIT};
  if (setrlimit(RLIMIT_NOFILE, &descriptors) != 0)
    perror("setrlimit");
}

static void make(const char *path) {
  static char bytes[PIECE];
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < PIECES; ++i) {
    memset(bytes, 'a' + i % 26, sizeof bytes);
    if (write(fd, bytes, sizeof bytes) != PIECE)
      perror(path);
  }
  close(fd);
}

static MPI_File open_file(const char *path) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  return file;
}

static void read_file(MPI_File file) {
  static char bytes[PIECE];
  int right = 0;
  MPI_File_prefetch_at(file, 0, PIECES * PIECE, MPI_BYTE);
  for (int i = 0; i < PIECES; ++i) {
    memset(bytes, 0, sizeof bytes);
    MPI_File_read_at(file, (MPI_Offset)i * PIECE, bytes, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    right += bytes[0] == 'a' + i % 26 && memcmp(bytes, bytes + 1, PIECE - 1) == 0;
  }
  printf("%d pieces read right\n", right);
}

/* Puts a file of its own at all numbers from `from` on; in the end it contains only what was
 * written to it. */
static void take_over(const char *path, int from) {
  char name[4096];
  snprintf(name, sizeof name, "%s.own", path);
  const int own = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (int fd = from; fd < from + 64; ++fd)
    dup2(own, fd);
  if (write(own, "x", 1) != 1)
    perror(name);
}

static void tell_own(const char *path) {
  char name[4096];
  struct stat status;
  snprintf(name, sizeof name, "%s.own", path);
  printf("%lld byte in the program's own file\n",
         stat(name, &status) == 0 ? (long long)status.st_size : -1LL);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const char *const kind = argv[2];
  make(argv[1]);
  const int first = next_number();
  printf("at first %d\n", first);
  if (strcmp(kind, "limited") == 0)
    limit();
  MPI_File file = open_file(argv[1]);
  printf("opened: %d\n", next_number());
  read_file(file);
  printf("read: %d\n", next_number());
  if (strcmp(kind, "lowered") == 0)
    limit();
  if (strcmp(kind, "limited") == 0 || strcmp(kind, "lowered") == 0)
    printf("%d to be had\n", count_to_be_had());
  MPI_File_close(&file);
  if (strcmp(kind, "taking") == 0)
    take_over(argv[1], FAR);
  for (int fd = first; strcmp(kind, "closing") == 0 && fd < ABOVE_ALL; ++fd)
    close(fd);
  file = open_file(argv[1]);
  printf("opened again: %d\n", next_number());
  read_file(file);
  MPI_File_close(&file);
  printf("closed: %d\n", next_number());
  if (strcmp(kind, "taking") == 0)
    tell_own(argv[1]);
  MPI_Finalize();
  return 0;
}
