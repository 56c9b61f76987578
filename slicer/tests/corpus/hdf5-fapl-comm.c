/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the communicator comes back out of the property list of the file (H5Pget_fapl_mpio) and says who
 * reads what. */
#include "h5.h"

static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-fapl-comm.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 2000;
  int v[2000];
  for (int i = 0; i < 2000; i++)
    v[i] = i * 3;
  hid_t s = H5Screate_simple(1, &n, NULL);
  hid_t d = H5Dcreate2(f, "d", H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Fclose(f);
}

static long readMine(hid_t f) {
  MPI_Comm comm;
  MPI_Info info;
  int me, all, v[2000];
  hid_t fapl = H5Fget_access_plist(f);
  if (H5Pget_driver(fapl) != H5FD_MPIO)
    return -1;
  H5Pget_fapl_mpio(fapl, &comm, &info);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &all);
  hid_t d = H5Dopen2(f, "d", H5P_DEFAULT);
  hsize_t count = (hsize_t)(2000 / all), start = (hsize_t)me * count;
  readSlab(d, start, count, v);
  H5Dclose(d);
  H5Pclose(fapl);
  MPI_Comm_free(&comm);
  if (info != MPI_INFO_NULL)
    MPI_Info_free(&info);
  return v[5];
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
  hid_t f = openToRead("hdf5-fapl-comm.h5", MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++)
    sum += readMine(f);
  H5Fclose(f);
  printTotal("fapl-comm", sum);
  MPI_Finalize();
  return 0;
}
