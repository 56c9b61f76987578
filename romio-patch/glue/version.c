/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * This library depends on the internal error handling of one version of MPICH. If it meets another
 * MPI, it says so once, and every call goes to the library that would have been called without it.
 */

#include "dispatch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Set by the build; a test builds the library for a version that does not exist. */
#ifndef FORERUN_BUILT_FOR
#define FORERUN_BUILT_FOR MPICH_VERSION
#endif

int forerun_mpi_is_ours = 1;

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

static void step_aside(void) {
  for (int i = 0; i < forerun_slot_count; i++) {
    const char *name = forerun_slots[i].name;
    forerun_slots[i].target[kForerunLevelPmpi] = dlsym(RTLD_NEXT, name);
    forerun_slots[i].target[kForerunLevelMpi] = dlsym(RTLD_NEXT, name + 1);
  }
}

__attribute__((constructor)) static void check_version(void) {
  char description[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (PMPI_Get_library_version(description, &length) == MPI_SUCCESS && library_is_ours(description))
    return;
  forerun_mpi_is_ours = 0;
  step_aside();
  description[strcspn(description, "\n")] = '\0';
  fprintf(stderr,
          "forerun: the patched MPI-IO was built for MPICH %s, but the program runs on \"%s\": "
          "it is not used\n",
          FORERUN_BUILT_FOR, description);
}
