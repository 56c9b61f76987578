/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: variables of a compound type, of variable length, and of texts; a text names the record that is read next. */
#include "nc.h"
#include <stdio.h>
#include <stdlib.h>
enum { N = 512 };
static const char *const NAME = "netcdf-user-types.nc";
typedef struct Record {
  double values[64];
  int next, unused;
} Record;
static void create(void) {
  int file, dim, of = 64, records, names, lists;
  nc_type type, list;
  static Record all[N];
  check(nc_create(NAME, NC_CLOBBER | NC_NETCDF4, &file));
  check(nc_def_compound(file, sizeof(Record), "record", &type));
  check(nc_insert_array_compound(file, type, "values", NC_COMPOUND_OFFSET(Record, values),
                                 NC_DOUBLE, 1, &of));
  check(nc_insert_compound(file, type, "next", NC_COMPOUND_OFFSET(Record, next), NC_INT));
  check(nc_def_vlen(file, "list", NC_INT, &list));
  check(nc_def_dim(file, "n", N, &dim));
  check(nc_def_var(file, "records", type, 1, &dim, &records));
  check(nc_def_var(file, "names", NC_STRING, 1, &dim, &names));
  check(nc_def_var(file, "lists", list, 1, &dim, &lists));
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 64; j++)
      all[i].values[j] = i + j;
    all[i].next = (i * 13 + 7) % N;
  }
  check(nc_put_var(file, records, all));
  for (size_t i = 0; i < N; i++) {
    char text[16];
    const char *name = text;
    int numbers[3] = {(int)i, (int)i + 1, (int)i + 2};
    const nc_vlen_t some = {1 + i % 3, numbers};
    sprintf(text, "%d", (int)(i * 5 + 1) % N);
    check(nc_put_var1_string(file, names, &i, &name));
    check(nc_put_var1(file, lists, &i, &some));
  }
  check(nc_close(file));
}
int main(int argc, char **argv) {
  int rank, file;
  double sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    create();
  MPI_Barrier(MPI_COMM_WORLD);
  check(nc_open_par(NAME, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  int records, names, lists;
  size_t at = (size_t)rank;
  static Record some[8];
  check(nc_inq_varid(file, "records", &records));
  check(nc_inq_varid(file, "names", &names));
  check(nc_inq_varid(file, "lists", &lists));
  for (int k = 0; k < 60; k++) {
    char *name;
    const size_t start = at < N - 8 ? at : N - 8, count = 8;
    check(nc_get_vara(file, records, &start, &count, some));
    for (int i = 0; i < 8; i++)
      sum += some[i].values[k];
    check(nc_get_var1_string(file, names, &at, &name));
    at = (size_t)atoi(name);
    check(nc_free_string(1, &name));
  }
  nc_vlen_t list[16];
  const size_t start = 0, count = 16;
  check(nc_get_vara(file, lists, &start, &count, list));
  for (int i = 0; i < 16; i++)
    sum += ((int *)list[i].p)[list[i].len - 1];
  check(nc_free_vlens(16, list));
  check(nc_close(file));
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.1f\n", all);
  MPI_Finalize();
}
