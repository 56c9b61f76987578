/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: data sets behind external links, which HDF5 opens on the way, are announced: of files that stay open, of one in
 * a cache of such files, of one that is opened as its link says. A file that HDF5 reads by itself is none of them. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kSets = 4, kValues = 200000, kPart = 500, kSteps = 80, kStepMs = 3 };

static void put(const char *fileName, const char *name, int factor, int chunk, int level) {
  hsize_t n = kValues, c = (hsize_t)chunk;
  int *v = malloc(kValues * sizeof *v);
  for (int i = 0; i < kValues; i++)
    v[i] = i * factor % 9973;
  hid_t f = H5Fcreate(fileName, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t s = H5Screate_simple(1, &n, NULL), p = H5Pcreate(H5P_DATASET_CREATE),
        l = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(l, 1);
  if (chunk != 0)
    H5Pset_chunk(p, 1, &c);
  if (level != 0)
    H5Pset_deflate(p, (unsigned)level);
  hid_t d = H5Dcreate2(f, name, H5T_NATIVE_INT, s, l, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Pclose(l);
  H5Pclose(p);
  H5Sclose(s);
  H5Fclose(f);
  free(v);
}

static void makeInput(void) {
  put("hdf5-links-kept-0.h5", "/data", 7, 0, 0);
  put("hdf5-links-kept-1.h5", "/data", 11, 1000, 0);
  put("hdf5-links-kept-2.h5", "/in/data", 13, 1000, 1);
  put("hdf5-links-kept-3.h5", "/data", 17, 1000, 0);
  put("hdf5-links-kept-table.h5", "/data", 19, 0, 0);
  hid_t f = H5Fcreate("hdf5-links-kept.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("hdf5-links-kept-0.h5", "/data", f, "0", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("hdf5-links-kept-1.h5", "/data", f, "1", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("hdf5-links-kept-2.h5", "/in", f, "2", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("hdf5-links-kept-3.h5", "/data", f, "3", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(f);
}

static hid_t openBy(const char *name, hid_t fapl) {
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, fapl);
  H5Pclose(fapl);
  return file;
}

int main(int argc, char **argv) {
  int rank, v[kPart], table[kSteps];
  hid_t d[kSets];
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);

  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_elink_fapl(access, fapl);
  H5Pset_elink_file_cache_size(fapl, 2);
  hid_t f = openBy("hdf5-links-kept.h5", fapl);
  d[0] = H5Dopen2(f, "0", H5P_DEFAULT);
  d[1] = H5Dopen2(f, "1", access);
  d[2] = H5Dopen2(f, "2/data", H5P_DEFAULT);
  d[3] = H5Dopen2(f, "3", H5P_DEFAULT);

  hsize_t count = kSteps;
  hid_t t = openBy("hdf5-links-kept-table.h5", H5Pcreate(H5P_FILE_ACCESS));
  hid_t td = H5Dopen2(t, "data", H5P_DEFAULT), ts = H5Dget_space(td),
        tm = H5Screate_simple(1, &count, NULL);
  hsize_t start = 300;
  H5Sselect_hyperslab(ts, H5S_SELECT_SET, &start, NULL, &count, NULL);
  H5Dread(td, H5T_NATIVE_INT, tm, ts, H5P_DEFAULT, table);
  H5Sclose(tm);
  H5Sclose(ts);
  H5Dclose(td);
  H5Fclose(t);

  for (int k = 0; k < kSteps; k++) {
    hsize_t from = (hsize_t)((table[k] * 19 + 977 * rank) % (kValues - kPart)), n = kPart;
    hid_t fs = H5Dget_space(d[k % kSets]), ms = H5Screate_simple(1, &n, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, &from, NULL, &n, NULL);
    H5Dread(d[k % kSets], H5T_NATIVE_INT, ms, fs, H5P_DEFAULT, v);
    sum += v[k] * (rank + 1L);
    H5Sclose(ms);
    H5Sclose(fs);
    usleep(kStepMs * 1000);
  }
  for (int k = 0; k < kSets; k++)
    H5Dclose(d[k]);
  H5Pclose(access);
  H5Fclose(f);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("links-kept %ld\n", total);
  MPI_Finalize();
  return 0;
}
