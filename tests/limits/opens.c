/* SPDX-License-Identifier: Apache-2.0 */
/* opens DIRECTORY FILES LIMIT: opens FILES files at a time, with at most LIMIT descriptors (0: as
 * many as there are), announces and reads each, closes all, and does it again. Prints how far it
 * got, which depends only on MPI and the system. On stderr: how many descriptors were free when the
 * most files were open, how much memory each file took, and how many threads Forerun has. */

#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BYTES = 64 };

/* libforerun's if it is linked or loaded. */
extern int MPI_File_prefetch_at(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype)
    __attribute__((weak));

static void name_of(char *name, size_t room, const char *directory, int file) {
  snprintf(name, room, "%s/%d", directory, file);
}

static void make(const char *directory, int files) {
  char name[4096], bytes[BYTES];
  for (int file = 0; file < files; ++file) {
    name_of(name, sizeof name, directory, file);
    memset(bytes, 'a' + file % 26, sizeof bytes);
    const int fd = open(name, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write(fd, bytes, sizeof bytes) != BYTES)
      perror(name);
    close(fd);
  }
}

static int is_right(MPI_File fh, int file, MPI_Datatype type) {
  char bytes[BYTES], wanted[BYTES / 2];
  memset(wanted, 'a' + file % 26, sizeof wanted);
  memset(bytes, 0, sizeof bytes);
  if (MPI_File_prefetch_at != NULL)
    MPI_File_prefetch_at(fh, 0, BYTES, MPI_BYTE);
  return MPI_File_read_at(fh, 0, bytes, 1, type, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         memcmp(bytes, wanted, BYTES / 2) == 0;
}

static int free_descriptors(void) {
  static int fds[1 << 16];
  int count = 0;
  while (count < 1 << 16 && (fds[count] = dup(0)) >= 0)
    ++count;
  for (int i = 0; i < count; ++i)
    close(fds[i]);
  return count;
}

/* Forerun's threads are recognised by their names. */
static int forerun_threads(void) {
  char path[300], name[64];
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
    FILE *file = fopen(path, "r");
    count += file != NULL && fgets(name, sizeof name, file) != NULL &&
             strncmp(name, "forerun-", strlen("forerun-")) == 0;
    if (file != NULL)
      fclose(file);
  }
  if (tasks != NULL)
    closedir(tasks);
  return count;
}

static long resident_kib(void) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    sscanf(line, "VmRSS: %ld", &kib);
  if (file != NULL)
    fclose(file);
  return kib;
}

static void round_of(const char *directory, int files, MPI_File *opened, MPI_Datatype type) {
  char name[4096];
  int count = 0, right = 0, class = MPI_SUCCESS;
  const long before = resident_kib();
  for (; count < files; ++count) {
    name_of(name, sizeof name, directory, count);
    const int rc =
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &opened[count]);
    if (rc != MPI_SUCCESS) {
      MPI_Error_class(rc, &class);
      break;
    }
  }
  for (int file = 0; file < count; ++file)
    right += is_right(opened[file], file, type);
  printf("%d of %d opened, class %d, %d read right\n", count, files, class, right);
  fprintf(stderr, "descriptors_free %d\nkib_a_file %ld\n", free_descriptors(),
          count > 0 ? (resident_kib() - before) / count : 0);
  for (int file = 0; file < count; ++file)
    MPI_File_close(&opened[file]);
  fprintf(stderr, "threads %d\n", forerun_threads());
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const int files = atoi(argv[2]);
  const rlim_t limit = (rlim_t)atoi(argv[3]);
  MPI_Datatype type;
  make(argv[1], files);
  struct rlimit descriptors;
  getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = limit != 0 ? limit : descriptors.rlim_max;
  setrlimit(RLIMIT_NOFILE, &descriptors);
  MPI_Type_contiguous(BYTES / 2, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_File *opened = (MPI_File *)calloc((size_t)files, sizeof *opened);
  for (int i = 0; i < 2; ++i)
    round_of(argv[1], files, opened, type);
  free((void *)opened);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
