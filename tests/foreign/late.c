/* SPDX-License-Identifier: Apache-2.0 */
/** \file
 * late LIBRARY ARGUMENT...: what Python does with a module that uses MPI: loads it late, and for itself only, and calls
 * its main.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  int (*start)(int, char **) = NULL;
  if (library != NULL)
    *(void **)&start = dlsym(library, "main");
  if (start == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return start(argc - 1, argv + 1);
}
