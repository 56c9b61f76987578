/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the format of large files; its types; attributes say which part is read, and how it is scaled. */
#include "pnc.h"
#include <stdlib.h>
enum { kParts = 12, kLength = 500 };

static void makeInput(void) {
  int f, dims[2], field;
  static unsigned long long line[kLength];
  long long order[kParts];
  double scale = 2.0;
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-cdf5.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL,
                     &f));
  check(ncmpi_def_dim(f, "part", kParts, &dims[0]));
  check(ncmpi_def_dim(f, "length", kLength, &dims[1]));
  check(ncmpi_def_var(f, "field", NC_UINT64, 2, dims, &field));
  for (int i = 0; i < kParts; i++)
    order[i] = i * 5 % kParts;
  check(ncmpi_put_att_longlong(f, field, "order", NC_INT64, kParts, order));
  check(ncmpi_put_att_double(f, field, "scale", NC_DOUBLE, 1, &scale));
  check(ncmpi_put_att_text(f, NC_GLOBAL, "title", 9, "test data"));
  check(ncmpi_enddef(f));
  for (int p = 0; p < kParts; p++) {
    MPI_Offset start[2] = {p, 0}, count[2] = {1, kLength};
    for (int i = 0; i < kLength; i++)
      line[i] = (unsigned long long)(p * 10000 + i);
    check(ncmpi_put_vara_ulonglong_all(f, field, start, count, line));
  }
  check(ncmpi_close(f));
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
  int f, field, format;
  MPI_Offset parts;
  double scale;
  char title[10] = "";
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-cdf5.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_format(f, &format));
  check(ncmpi_inq_varid(f, "field", &field));
  check(ncmpi_inq_attlen(f, field, "order", &parts));
  long long *order = malloc((size_t)parts * sizeof *order);
  check(ncmpi_get_att_longlong(f, field, "order", order));
  check(ncmpi_get_att_double(f, field, "scale", &scale));
  check(ncmpi_get_att_text(f, NC_GLOBAL, "title", title));
  for (int i = 0; format == NC_FORMAT_CDF5 && i < parts; i++) {
    MPI_Offset start[2] = {order[i], rank * 100}, count[2] = {1, 100};
    unsigned long long values[100];
    check(ncmpi_get_vara_ulonglong_all(f, field, start, count, values));
    sum += (long)((double)values[i] * scale) + title[2];
  }
  free(order);
  check(ncmpi_close(f));
  printTotal("cdf5", sum);
  MPI_Finalize();
  return 0;
}
