/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: hints of the program; a communicator of its own, of which each opens another file; what PnetCDF says of hints. */
#include "pnc.h"
#include <stdio.h>
#include <stdlib.h>
enum { kLength = 3000 };

static void makeInput(void) {
  static int values[kLength];
  for (int n = 0; n < 2; n++) {
    int f, dim, line;
    char name[32];
    snprintf(name, sizeof name, "pnetcdf-hints-%d.nc", n);
    check(ncmpi_create(MPI_COMM_SELF, name, NC_CLOBBER, MPI_INFO_NULL, &f));
    check(ncmpi_def_dim(f, "length", kLength, &dim));
    check(ncmpi_def_var(f, "line", NC_INT, 1, &dim, &line));
    check(ncmpi_enddef(f));
    for (int i = 0; i < kLength; i++)
      values[i] = (i * 3 + n) % 1201;
    check(ncmpi_put_var_int_all(f, line, values));
    check(ncmpi_close(f));
  }
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0;
  MPI_Comm half;
  MPI_Info info, used;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Info_create(&info);
  MPI_Info_set(info, "nc_header_read_chunk_size", "1024");
  MPI_Info_set(info, "romio_ds_read", "disable");
  char name[32], value[MPI_MAX_INFO_VAL];
  int f, line, flag;
  snprintf(name, sizeof name, "pnetcdf-hints-%d.nc", rank % 2);
  check(ncmpi_open(half, name, NC_NOWRITE, info, &f));
  check(ncmpi_inq_file_info(f, &used));
  MPI_Info_get(used, "nc_header_read_chunk_size", MPI_MAX_INFO_VAL - 1, value, &flag);
  sum += flag ? atoi(value) : 0;
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  check(ncmpi_inq_varid(f, "line", &line));
  MPI_Offset from = rank / 2 * 300, many = 250;
  for (int i = 0; i < 20; i++) {
    int values[250];
    check(ncmpi_get_vara_int_all(f, line, &from, &many, values));
    from = (from + 310) % (kLength - 250);
    sum += values[i];
  }
  check(ncmpi_close(f));
  MPI_Comm_free(&half);
  printTotal("hints", sum);
  MPI_Finalize();
  return 0;
}
