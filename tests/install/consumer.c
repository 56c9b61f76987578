/* SPDX-License-Identifier: Apache-2.0 */
/* A user's program, built against an installed Forerun: announces a read, makes it, and says
 * whether the file it opened went through the patched MPI-IO. */

#include <forerun/prefetch.h>
#include <forerun/runtime.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char hello[] = "prefetched", got[sizeof(hello)] = "", hint[32] = "";
  int patched = 0;
  MPI_File file;
  MPI_Info info;

  forerun_main_MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 0, hello, sizeof(hello), MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_File_prefetch_at(file, 0, sizeof(hello), MPI_CHAR);
  MPI_File_read_at(file, 0, got, sizeof(hello), MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_get_info(file, &info);
  MPI_Info_get(info, "forerun_cache", sizeof(hint) - 1, hint, &patched);
  MPI_Info_free(&info);
  MPI_File_close(&file);
  MPI_Finalize();
  printf("%s, MPI-IO %s\n", got, patched ? "patched" : "stock");
  return patched && strcmp(got, hello) == 0 ? 0 : 1;
}
