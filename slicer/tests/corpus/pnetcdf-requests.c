/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: requests that do not block, several at a time, completed together or one by one; one of them reads what the next depends on. */
#include "pnc.h"

enum { kSteps = 16, kLength = 1200 };

static void makeInput(void) {
  int f, dims[2], next, a, b, request[2];
  static float line[kLength];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-requests.nc", NC_CLOBBER, MPI_INFO_NULL, &f));
  check(ncmpi_def_dim(f, "time", kSteps, &dims[0]));
  check(ncmpi_def_dim(f, "length", kLength, &dims[1]));
  check(ncmpi_def_var(f, "next", NC_INT, 1, dims, &next));
  check(ncmpi_def_var(f, "a", NC_FLOAT, 2, dims, &a));
  check(ncmpi_def_var(f, "b", NC_FLOAT, 2, dims, &b));
  check(ncmpi_enddef(f));
  for (MPI_Offset t = 0; t < kSteps; t++) {
    MPI_Offset start[2] = {t, 0}, count[2] = {1, kLength};
    int to = (int)(t * 5 + 3) % kSteps;
    for (int i = 0; i < kLength; i++)
      line[i] = (float)((t + i) % 203);
    check(ncmpi_iput_vara_float(f, a, start, count, line, &request[0]));
    check(ncmpi_iput_vara_float(f, b, start, count, line, &request[1]));
    check(ncmpi_wait_all(f, 2, request, NULL));
    check(ncmpi_put_var1_int_all(f, next, &t, &to));
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
  int f, next, a, b, to;
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-requests.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "next", &next));
  check(ncmpi_inq_varid(f, "a", &a));
  check(ncmpi_inq_varid(f, "b", &b));
  MPI_Offset step = rank;
  static float values[2][300];
  for (int i = 0; i < kSteps; i++) {
    MPI_Offset start[2] = {step, rank * 300}, count[2] = {1, 300};
    int requests[3], statuses[3];
    check(ncmpi_iget_vara_float(f, a, start, count, values[0], &requests[0]));
    check(ncmpi_iget_vara_float(f, b, start, count, values[1], &requests[1]));
    check(ncmpi_iget_var1_int(f, next, &step, &to, &requests[2]));
    check(ncmpi_wait_all(f, 3, requests, statuses));
    for (int k = 0; k < 3; k++)
      check(statuses[k]);
    sum += (long)(values[0][i] + values[1][299]);
    step = to;
  }
  check(ncmpi_begin_indep_data(f));
  for (int i = 0; i < 5; i++) {
    MPI_Offset start[2] = {i, 10}, count[2] = {1, 50};
    int request;
    check(ncmpi_iget_vara_float(f, b, start, count, values[0], &request));
    check(ncmpi_wait(f, NC_REQ_ALL, NULL, NULL));
    sum += (long)values[0][20];
  }
  check(ncmpi_end_indep_data(f));
  check(ncmpi_close(f));
  printTotal("requests", sum);
  MPI_Finalize();
  return 0;
}
