/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * This library depends on the internal error handling of one version of MPICH. If it meets another
 * MPI, it says so once, and every call goes to the library that would have been called without it.
 */

#include "dispatch.h"
#include "mpi/Launcher.h"
#include "mpi/MeetMpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Set by the build; a test builds the library for a version that does not exist. */
#ifndef FORERUN_BUILT_FOR
#define FORERUN_BUILT_FOR MPICH_VERSION
#endif

/* More than any MPI's MPI_MAX_LIBRARY_VERSION_STRING. */
enum { DESCRIPTION_BYTES = 8192 };

atomic_int forerun_is_met;
static atomic_int is_ours = 1; /* until an MPI is met: nothing can be called before */
static atomic_int is_told;

static int library_is_ours(const char *description) {
  static const char label[] = "MPICH Version:";
  if (strncmp(description, label, strlen(label)) != 0)
    return 0;
  description += strlen(label);
  description += strspn(description, " \t");
  const size_t length = strlen(FORERUN_BUILT_FOR);
  return strncmp(description, FORERUN_BUILT_FOR, length) == 0 &&
         strchr(" \t\n", description[length]) != NULL;
}

static forerun_word no_function(forerun_word a, forerun_word b, forerun_word c, forerun_word d,
                                forerun_word e, forerun_word f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  return kForerunNoFunction;
}

static forerun_function *next_of(int slot, int level) {
  const char *const name = forerun_slots[slot].name + (level == kForerunLevelMpi ? 1 : 0);
  void *const next = dlsym(RTLD_NEXT, name);
  if (next != NULL)
    return (forerun_function *)next;
  return forerun_fewer[slot][level] != NULL ? forerun_fewer[slot][level] : no_function;
}

static void step_aside(void) {
  for (int i = 0; i < forerun_slot_count; i++)
    for (int level = 0; level < kForerunLevels; level++)
      forerun_slots[i].target[level] = next_of(i, level);
  (void)dlerror(); /* a failed lookup is not an error of the program */
}

/* In one line, of one process. */
static void tell(char *description) {
  if (atomic_exchange(&is_told, 1) || !forerun_is_first_process())
    return;
  description[strcspn(description, ",\n")] = '\0';
  fprintf(stderr,
          "forerun: the patched MPI-IO was built for MPICH %s, but the program runs on \"%s\": "
          "it is not used\n",
          FORERUN_BUILT_FOR, description);
}

/* The description is no matter of MPI's interface: it needs no handle. */
void forerun_meet(void) {
  const enum forerun_mpi met = forerun_meet_mpi();
  if (met == kForerunNoMpi)
    return;
  char description[DESCRIPTION_BYTES] = "";
  int length = 0;
  if (PMPI_Get_library_version(description, &length) != MPI_SUCCESS)
    description[0] = '\0';
  if (met != kForerunOurMpi || !library_is_ours(description)) {
    is_ours = 0;
    step_aside();
    tell(description);
  }
  atomic_store_explicit(&forerun_is_met, 1, memory_order_release);
}

int forerun_is_used(void) {
  forerun_meet();
  return is_ours;
}

int forerun_mpiio_register(const forerun_door *door) {
  return forerun_is_used() ? forerun_romio_register(door) : 1;
}

__attribute__((constructor)) static void meet_at_load(void) { forerun_meet(); }
