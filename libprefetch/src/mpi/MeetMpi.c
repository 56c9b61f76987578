/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mpi/MeetMpi.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Generated; a program that is itself linked with MPI (a test) has none. */
extern const char *const forerun_mpi_names[] __attribute__((weak));
extern void *forerun_mpi_slots[] __attribute__((weak));
extern const int forerun_mpi_count __attribute__((weak));

/* Every MPI has it. */
static const char kProbe[] = "PMPI_Init";

/* More than any MPI's MPI_MAX_LIBRARY_VERSION_STRING. */
enum { kDescriptionBytes = 8192 };

/* Of MPICH's interface. */
static const char *const kFamily[] = {"MPICH", "MVAPICH", "Intel(R) MPI"};

struct Loaded {
  char **paths;
  size_t count;
};

static int noteLoaded(struct dl_phdr_info *library, size_t size, void *to) {
  struct Loaded *const loaded = to;
  (void)size;
  char **const more = (char **)realloc((void *)loaded->paths, (loaded->count + 1) * sizeof *more);
  if (more == NULL)
    return 1;
  loaded->paths = more;
  more[loaded->count] = strdup(library->dlpi_name);
  if (more[loaded->count] == NULL)
    return 1;
  ++loaded->count;
  return 0;
}

/* The function as a library with local scope, or one that it needs, defines it. */
static void *findHidden(const char *function) {
  struct Loaded loaded = {NULL, 0};
  void *found = NULL;
  dl_iterate_phdr(noteLoaded, &loaded);
  for (size_t i = 0; i < loaded.count; i++) {
    void *const library = found == NULL ? dlopen(loaded.paths[i], RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library != NULL) {
      found = dlsym(library, function);
      dlclose(library);
    }
    free(loaded.paths[i]);
  }
  free((void *)loaded.paths);
  return found;
}

/* The library that defines the function, for dlsym; visible to all from now on. */
static void *libraryOf(void *function) {
  Dl_info place;
  void *library = NULL;
  if (dladdr(function, &place) != 0)
    library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  return library != NULL ? library : RTLD_DEFAULT; /* the program itself has no name */
}

enum interface { kMpich, kOpenMpi, kStandard, kUnknown };

/* The one that this library is compiled for. */
#if defined(OPEN_MPI)
static const enum interface kOurs = kOpenMpi;
#elif defined(MPI_ABI_VERSION)
static const enum interface kOurs = kStandard;
#else
static const enum interface kOurs = kMpich;
#endif

static int isOfMpichFamily(void *mpi) {
  int (*const describe)(char *, int *) = dlsym(mpi, "PMPI_Get_library_version");
  char description[kDescriptionBytes] = "";
  int length = 0;
  if (describe == NULL || describe(description, &length) != 0)
    return 0;
  for (size_t i = 0; i < sizeof kFamily / sizeof *kFamily; i++)
    if (strstr(description, kFamily[i]) != NULL)
      return 1;
  return 0;
}

/* MPICH 5 has a second library, of the interface of the MPI standard, and describes both alike. */
static int isOfTheStandard(void *mpi) {
  int (*const version)(int *, int *) = dlsym(mpi, "MPI_Abi_get_version");
  int major = 0, minor = 0;
  return version != NULL && version(&major, &minor) == 0 && major > 0;
}

static enum interface interfaceOf(void *mpi) {
  if (dlsym(mpi, "ompi_mpi_comm_world") != NULL)
    return kOpenMpi;
  if (isOfTheStandard(mpi))
    return kStandard;
  return isOfMpichFamily(mpi) ? kMpich : kUnknown;
}

static int missing(void) { return kForerunMissing; }

/* Whether an MPI may lack it. */
static int isOfMpi4(const char *name) {
  const size_t length = strlen(name);
  return length > 2 && strcmp(name + length - 2, "_c") == 0;
}

/* Of a slot that is still empty: a first call, before anyone has asked for the MPI. */
void *forerun_mpi_function(int slot) {
  (void)forerun_meet_mpi();
  void *const function = dlsym(RTLD_DEFAULT, forerun_mpi_names[slot]);
  return function != NULL ? function : (void *)missing;
}

/* Whether all are found that every MPI has. */
static int fillSlots(void) {
  int all = 1;
  for (int i = 0; &forerun_mpi_count != NULL && i < forerun_mpi_count; i++) {
    void *const function = dlsym(RTLD_DEFAULT, forerun_mpi_names[i]);
    all = all && (function != NULL || isOfMpi4(forerun_mpi_names[i]));
    forerun_mpi_slots[i] = function != NULL ? function : (void *)missing;
  }
  return all;
}

static enum forerun_mpi look(void) {
  void *probe = dlsym(RTLD_DEFAULT, kProbe);
  if (probe == NULL)
    probe = findHidden(kProbe);
  if (probe == NULL)
    return kForerunNoMpi;
  void *const mpi = libraryOf(probe);
  const int all = fillSlots();
  return all && interfaceOf(mpi) == kOurs ? kForerunOurMpi : kForerunOtherMpi;
}

enum forerun_mpi forerun_meet_mpi(void) {
  static _Atomic(enum forerun_mpi) met = kForerunNoMpi; /* released when the slots are filled */
  enum forerun_mpi known = atomic_load_explicit(&met, memory_order_acquire);
  if (known != kForerunNoMpi)
    return known;
  known = look();
  (void)dlerror(); /* a failed lookup is not an error of the program */
  atomic_store_explicit(&met, known, memory_order_release);
  return known;
}
