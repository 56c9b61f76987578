/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dlmopen */
#include "forerun/hdf5.h"

#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A user's program that announces a read of HDF5, in one of many situations. What it prints, and how it
 * ends, must be the same with and without Forerun. Arguments: the file to be made, and the situation. */

enum { ROWS = 64, COLUMNS = 64, PARTS = 8, NAMESPACES = 16 };

static const char *situation;
static int rank;

static int is(const char *name) { return strcmp(situation, name) == 0; }

static void must(int good, const char *what) {
  if (good)
    return;
  printf("rank %d: not so: %s\n", rank, what);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- the file ---- */

static void makeVirtual(hid_t file, hid_t space) {
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(properties, space, ".", "/source", space);
  H5Dclose(H5Dcreate2(file, "/data", H5T_NATIVE_INT, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  H5Pclose(properties);
}

static void make(const char *path) {
  const hsize_t extent[] = {ROWS, COLUMNS}, chunk[] = {ROWS / PARTS, COLUMNS};
  static int values[ROWS][COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    values[i / COLUMNS][i % COLUMNS] = i;
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(2, extent, NULL);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (is("compact")) {
    H5Pset_layout(properties, H5D_COMPACT);
  } else if (is("external")) {
    char outside[1024];
    snprintf(outside, sizeof outside, "%s.outside", path);
    H5Pset_external(properties, outside, 0, sizeof values);
  } else {
    H5Pset_chunk(properties, 2, chunk);
  }
  const hid_t data = H5Dcreate2(file, is("virtual") ? "/source" : "/data", H5T_NATIVE_INT, space,
                                H5P_DEFAULT, properties, H5P_DEFAULT);
  must(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, "it is written");
  if (is("virtual"))
    makeVirtual(file, space);
  H5Pclose(properties);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
}

/** Corrupts the nodes of the chunk index. */
static void corrupt(const char *path) {
  static char bytes[1 << 20];
  FILE *file = fopen(path, "r+b");
  must(file != NULL, "the file can be opened");
  const size_t got = fread(bytes, 1, sizeof bytes, file);
  int found = 0;
  for (size_t at = 0; at + 5 < got; at++)
    if (memcmp(bytes + at, "TREE\1", 5) == 0) { /* of kind 1: chunks */
      fseek(file, (long)at, SEEK_SET);
      fwrite("EERT", 1, 4, file);
      found = 1;
    }
  must(found, "there is an index");
  fclose(file);
}

static hid_t openFile(const char *path) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (!is("serial"))
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = H5Fopen(path, is("writable") ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
  H5Pclose(access);
  must(file >= 0, "the file can be opened");
  return file;
}

/* ---- what is done with it ---- */

static herr_t countPrints(hid_t stack, void *prints) {
  (void)stack;
  ++*(int *)prints;
  return 0;
}

/** Arguments that no H5Dread would accept: nothing is printed, and the program's settings stay. */
static void announceNonsense(hid_t file, hid_t data, hid_t space) {
  const hid_t nonsense[] = {-1, 0, 4711, H5T_NATIVE_INT, file, H5P_DEFAULT};
  const hsize_t few = 3;
  const hid_t other = H5Screate_simple(1, &few, NULL);
  int prints = 0;
  void *dataSet = NULL;
  H5E_auto2_t handler = NULL;
  H5Eset_auto2(H5E_DEFAULT, countPrints, &prints);
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    must(H5Dprefetch(nonsense[i], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT) == 0, "0 (set)");
    must(H5Dprefetch(data, nonsense[i], H5S_ALL, space, H5P_DEFAULT) == 0, "0 (type)");
    must(H5Dprefetch(data, H5T_NATIVE_INT, nonsense[i], space, H5P_DEFAULT) == 0, "0 (memory)");
    must(H5Dprefetch(data, H5T_NATIVE_INT, H5S_ALL, nonsense[i], H5P_DEFAULT) == 0, "0 (file)");
    must(H5Dprefetch(data, H5T_NATIVE_INT, H5S_ALL, space, nonsense[i]) == 0, "0 (transfer)");
  }
  must(H5Dprefetch(data, H5T_NATIVE_INT, other, space, H5P_DEFAULT) == 0, "0 (points)");
  must(prints == 0, "nothing is printed");
  H5Eget_auto2(H5E_DEFAULT, &handler, &dataSet);
  must(handler == countPrints && dataSet == &prints, "the handler of errors is the program's");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  H5Sclose(other);
}

static void exhaustNamespaces(void) {
  int made = 0;
  while (made < NAMESPACES && dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW) != NULL)
    made++;
  must(made < NAMESPACES, "there is an end of namespaces");
}

/** As many as leave room for a cache, but not for a twin. */
static void leaveFewAddresses(void) {
  const rlim_t left = (rlim_t)700 << 20;
  unsigned long pages = 0;
  FILE *sizes = fopen("/proc/self/statm", "r");
  must(sizes != NULL && fscanf(sizes, "%lu", &pages) == 1, "the system tells of addresses in use");
  fclose(sizes);
  const rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + left;
  must(setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) == 0, "addresses can be limited");
}

/** The signals for which UCX, which comes with a twin of parallel HDF5, sets handlers. */
static const int kSignals[] = {SIGHUP, SIGILL, SIGBUS, SIGFPE};

static volatile sig_atomic_t handled;

static void handle(int signal) {
  (void)signal;
  handled = handled + 1;
}

/** More reads than may wait for the twin. */
static void announceOftenEnough(hid_t data, hid_t space) {
  for (int i = 0; i < 2000; i++)
    H5Dprefetch(data, H5T_NATIVE_INT, H5S_ALL, space, H5P_DEFAULT);
}

static void readInParts(hid_t data, hid_t space) {
  const hsize_t size[] = {ROWS / PARTS, COLUMNS}, points = ROWS / PARTS * COLUMNS;
  const hid_t memory = H5Screate_simple(1, &points, NULL);
  long sum = 0;
  int failed = 0;
  static int values[ROWS / PARTS * COLUMNS];
  for (hsize_t part = 0; part < PARTS; part++) {
    const hsize_t start[] = {part * size[0], 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
    H5Dprefetch(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT);
    failed += H5Dread(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values) < 0;
    for (hsize_t i = 0; i < points; i++)
      sum += values[i];
  }
  printf("rank %d: the sum is %ld, %d reads failed\n", rank, sum, failed);
  H5Sclose(memory);
}

/* ---- what Forerun says ---- */

static FILE *said; /* what this process writes to stderr */
static int realStderr;

static void keepStderr(void) {
  said = tmpfile();
  realStderr = dup(STDERR_FILENO);
  must(said != NULL && realStderr >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0, "stderr is kept");
}

static int hasBeenSaid(const char *text) {
  char line[4096];
  int found = 0;
  fseek(said, 0, SEEK_SET);
  while (!found && fgets(line, sizeof line, said) != NULL)
    found = strstr(line, text) != NULL;
  fseek(said, 0, SEEK_END);
  return found;
}

static void giveStderrBack(void) {
  char bytes[4096];
  dup2(realStderr, STDERR_FILENO);
  fseek(said, 0, SEEK_SET);
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, said)) > 0;)
    if (write(STDERR_FILENO, bytes, got) < 0)
      return;
}

/** Forerun's own thread has finished when this message has been printed. */
static void await(const char *text) {
  const char *forerun = getenv("FORERUN");
  while (text != NULL && forerun != NULL && strcmp(forerun, "0") != 0 && !hasBeenSaid(text))
    usleep(1000);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(argc == 3, "the arguments are FILE SITUATION");
  situation = argv[2];
  keepStderr();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (rank == 0)
    make(argv[1]);
  if (rank == 0 && is("corrupt"))
    corrupt(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is("namespaces"))
    exhaustNamespaces();
  if (is("addresses"))
    leaveFewAddresses();
  if (is("signals"))
    for (size_t i = 0; i < sizeof kSignals / sizeof *kSignals; i++)
      signal(kSignals[i], handle);
  const hid_t file = openFile(argv[1]);
  const hid_t data = H5Dopen2(file, "/data", H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  if (is("nonsense"))
    announceNonsense(file, data, space);
  if (is("often"))
    announceOftenEnough(data, space);
  readInParts(data, space);
  await(getenv("FORERUN_TEST_SAYS"));
  giveStderrBack();
  fflush(stdout); /* before one of them ends them all */
  MPI_Barrier(MPI_COMM_WORLD);
  if (is("main-segv"))
    raise(SIGSEGV);
  if (is("signals"))
    for (size_t i = 0; i < sizeof kSignals / sizeof *kSignals; i++)
      raise(kSignals[i]);
  printf("rank %d: %d signals came\n", rank, (int)handled);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    remove(argv[1]);
  MPI_Finalize();
  printf("rank %d: has come to its end\n", rank);
  return 0;
}
