/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an index in a compressed data set (shuffle, deflate, fletcher32), of a compound type with an enum and
 * an array, says what is read next of a chunked and compressed one. */
#include "h5.h"
#include <stdlib.h>
typedef enum { kSkip, kTake, kTwice } Kind;
typedef struct {
  double weight;
  Kind kind;
  long place[2];
} Entry;

static hid_t entryType(void) {
  hid_t e = H5Tenum_create(H5T_NATIVE_INT);
  Kind k;
  H5Tenum_insert(e, "skip", (k = kSkip, &k));
  H5Tenum_insert(e, "take", (k = kTake, &k));
  H5Tenum_insert(e, "twice", (k = kTwice, &k));
  hsize_t two = 2;
  hid_t a = H5Tarray_create2(H5T_NATIVE_LONG, 1, &two);
  hid_t t = H5Tcreate(H5T_COMPOUND, sizeof(Entry));
  H5Tinsert(t, "weight", HOFFSET(Entry, weight), H5T_NATIVE_DOUBLE);
  H5Tinsert(t, "kind", HOFFSET(Entry, kind), e);
  H5Tinsert(t, "place", HOFFSET(Entry, place), a);
  H5Tclose(a);
  H5Tclose(e);
  return t;
}

static void makeInput(void) {
  hid_t f = H5Fcreate("hdf5-compressed-index.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 40, chunk = 16, dims[2] = {64, 512}, chunks[2] = {8, 64};
  Entry entries[40];
  static int v[64][512];
  for (int i = 0; i < 40; i++)
    entries[i] = (Entry){i * 0.5, (Kind)(i % 3), {i * 7 % 56, i * 61 % 448}};
  for (int i = 0; i < 64 * 512; i++)
    v[i / 512][i % 512] = i * i % 1001;
  hid_t p = H5Pcreate(H5P_DATASET_CREATE), t = entryType(), s = H5Screate_simple(1, &n, NULL);
  H5Pset_chunk(p, 1, &chunk);
  H5Pset_shuffle(p);
  H5Pset_deflate(p, 6);
  H5Pset_fletcher32(p);
  hid_t d = H5Dcreate2(f, "index", t, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries);
  H5Dclose(d);
  H5Sclose(s);
  H5Pset_chunk(p, 2, chunks);
  s = H5Screate_simple(2, dims, NULL);
  d = H5Dcreate2(f, "data", H5T_STD_I32BE, s, H5P_DEFAULT, p, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
  H5Dclose(d);
  H5Sclose(s);
  H5Pclose(p);
  H5Tclose(t);
  H5Fclose(f);
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
  hid_t f = openToRead("hdf5-compressed-index.h5", MPI_COMM_WORLD);
  hid_t index = H5Dopen2(f, "index", H5P_DEFAULT), d = H5Dopen2(f, "data", H5P_DEFAULT);
  hid_t t = entryType(), s = H5Dget_space(index);
  hssize_t n = H5Sget_simple_extent_npoints(s);
  Entry *entries = calloc((size_t)n, sizeof *entries);
  H5Dread(index, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries);
  for (int i = rank; i < n; i += size) {
    if (entries[i].kind == kSkip)
      continue;
    hsize_t start[2] = {(hsize_t)entries[i].place[0], (hsize_t)entries[i].place[1]},
            count[2] = {4, 64};
    double v[4][64];
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dread(d, H5T_NATIVE_DOUBLE, ms, fs, H5P_DEFAULT, v);
    sum += (long)(v[1][i] * entries[i].weight * entries[i].kind);
    H5Sclose(ms);
    H5Sclose(fs);
  }
  free(entries);
  H5Sclose(s);
  H5Tclose(t);
  H5Dclose(index);
  H5Dclose(d);
  H5Fclose(f);
  printTotal("compressed-index", sum);
  MPI_Finalize();
  return 0;
}
