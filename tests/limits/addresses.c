/* SPDX-License-Identifier: Apache-2.0 */
/* addresses FILE MIB: limits itself to MIB MiB of addresses (0: no limit) after MPI_Init, as
 * programs do, allocates blocks until none is left, frees them, and reads FILE, which it has made.
 * Its pre-execution thread allocates and touches memory, too. Prints how many blocks there were,
 * and what was read. */

#include <fcntl.h>
#include <forerun/runtime.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BLOCK = 8 << 20, MOST = 512, READS = 64, READ = 4096 };
enum { OWN = 1 << 20, OWNED = 32 }; /* what the pre-execution thread allocates */
enum { SITE_OPEN, SITE_READ, SITES };

static atomic_int has_its_own, came_through;

/* For the pre-execution thread, which a busy machine lets run late; at most a minute. */
static void await(atomic_int *what) {
  for (int i = 0; i < 6000 && !*what; ++i)
    usleep(10000);
}

static int pre(int argc, char **argv) {
  (void)argc, (void)argv;
  MPI_File file = forerun_pre_open(SITE_OPEN);
  for (int i = 0; i < OWNED; ++i) {
    char *own = (char *)forerun_pre_malloc(OWN);
    memset(forerun_pre_own(own, OWN), i, OWN);
  }
  has_its_own = 1;
  for (int i = 0; i < READS; ++i)
    forerun_pre_read_at(SITE_READ, file, (MPI_Offset)i * READ, READ, MPI_BYTE);
  came_through = 1;
  return 0;
}

static void make(const char *path) {
  static char bytes[READ];
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int i = 0; i < READS; ++i) {
    memset(bytes, 'a' + i % 26, sizeof bytes);
    if (write(fd, bytes, sizeof bytes) != READ)
      perror(path);
  }
  close(fd);
}

static int blocks_to_be_had(void) {
  static void *blocks[MOST];
  int count = 0;
  while (count < MOST && (blocks[count] = malloc(BLOCK)) != NULL) {
    memset(blocks[count], count, 4096);
    ++count;
  }
  for (int i = 0; i < count; ++i)
    free(blocks[i]);
  return count;
}

int main(int argc, char **argv) {
  static char bytes[READ];
  MPI_File file;
  long sum = 0;
  forerun_main_begin(argc, argv);
  forerun_main_start(pre, SITES, forerun_main_MPI_Init(&argc, &argv));
  if (argc != 3)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const rlim_t limit = (rlim_t)atol(argv[2]) << 20;
  const struct rlimit addresses = {limit, limit};
  if (limit != 0 && setrlimit(RLIMIT_AS, &addresses) != 0)
    perror("setrlimit");
  make(argv[1]);
  forerun_main_done(SITE_OPEN,
                    MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  const int has_thread = strcmp(getenv("FORERUN"), "0") != 0;
  if (has_thread)
    await(&has_its_own); /* else there may be nothing left for it */
  printf("blocks %d\n", blocks_to_be_had());
  for (int i = 0; i < READS; ++i) {
    memset(bytes, 0, sizeof bytes);
    forerun_main_done(SITE_READ, MPI_File_read_at(file, (MPI_Offset)i * READ, bytes, READ, MPI_BYTE,
                                                  MPI_STATUS_IGNORE));
    for (int k = 0; k < READ; ++k)
      sum += bytes[k];
  }
  printf("sum %ld\n", sum);
  if (has_thread) {
    await(&came_through);
    fprintf(stderr, came_through ? "the thread came through\n" : "the thread did not\n");
  }
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
