/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: values that are needed, read by each form and in each type, by itself and by request, together and alone: each says where the next is. */
#include "pnc.h"

enum { kLength = 120, kField = 60000 };

/* Each follows the chain from where it is and gives where it goes on. */
#define FORMS(name, type)                                                                          \
  static int name##Forms(int f, int table, int at) {                                               \
    MPI_Offset start = at, one = 1, *starts[1] = {&start}, *counts[1] = {&one};                    \
    type value = 0, all[kLength];                                                                  \
    int request, status;                                                                           \
    check(ncmpi_get_var1_##name##_all(f, table, &start, &value));                                  \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_get_vara_##name##_all(f, table, &start, &one, &value));                            \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_get_vars_##name##_all(f, table, &start, &one, &one, &value));                      \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_get_varm_##name##_all(f, table, &start, &one, &one, &one, &value));                \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_get_varn_##name##_all(f, table, 1, starts, counts, &value));                       \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_iget_var1_##name(f, table, &start, &value, &request));                             \
    check(ncmpi_wait_all(f, 1, &request, &status));                                                \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_begin_indep_data(f));                                                              \
    check(ncmpi_iget_varn_##name(f, table, 1, starts, NULL, &value, &request));                    \
    check(ncmpi_wait(f, 1, &request, &status));                                                    \
    start = (MPI_Offset)value;                                                                     \
    check(ncmpi_get_var1_##name(f, table, &start, &value));                                        \
    check(ncmpi_end_indep_data(f));                                                                \
    check(ncmpi_get_var_##name##_all(f, table, all));                                              \
    return (int)all[(int)value];                                                                   \
  }

FORMS(schar, signed char)
FORMS(uchar, unsigned char)
FORMS(short, short)
FORMS(ushort, unsigned short)
FORMS(int, int)
FORMS(uint, unsigned)
FORMS(long, long)
FORMS(longlong, long long)
FORMS(ulonglong, unsigned long long)
FORMS(float, float)
FORMS(double, double)

static void makeInput(void) {
  const nc_type types[4] = {NC_INT, NC_UBYTE, NC_DOUBLE, NC_UINT64};
  int f, dims[2], tables[4], field, numbers[kLength];
  static int values[kField];
  check(ncmpi_create(MPI_COMM_SELF, "pnetcdf-forms.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL,
                     &f));
  check(ncmpi_def_dim(f, "length", kLength, &dims[0]));
  check(ncmpi_def_dim(f, "more", kField, &dims[1]));
  for (int i = 0; i < 4; i++) {
    char name[8] = {'t', (char)('0' + i)};
    check(ncmpi_def_var(f, name, types[i], 1, &dims[0], &tables[i]));
  }
  check(ncmpi_def_var(f, "field", NC_INT, 1, &dims[1], &field));
  check(ncmpi_enddef(f));
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < kLength; i++)
      numbers[i] = (i * 37 + 11 + t) % kLength;
    check(ncmpi_put_var_int_all(f, tables[t], numbers));
  }
  for (int i = 0; i < kField; i++)
    values[i] = i * 3 % 1009;
  check(ncmpi_put_var_int_all(f, field, values));
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
  int f, field, values[100];
  check(ncmpi_open(MPI_COMM_WORLD, "pnetcdf-forms.nc", NC_NOWRITE, MPI_INFO_NULL, &f));
  check(ncmpi_inq_varid(f, "field", &field));
  int (*const all[])(int, int, int) = {scharForms,     ucharForms, shortForms, ushortForms,
                                       intForms,       uintForms,  longForms,  longlongForms,
                                       ulonglongForms, floatForms, doubleForms};
  int at = rank;
  for (int t = 0; t < 4; t++)
    for (int i = 0; i < 11; i++) {
      at = all[i](f, t, at);
      MPI_Offset start = at * 490, count = 100;
      check(ncmpi_get_vara_int_all(f, field, &start, &count, values));
      sum += values[i] + at;
    }
  check(ncmpi_close(f));
  printTotal("forms", sum);
  MPI_Finalize();
  return 0;
}
