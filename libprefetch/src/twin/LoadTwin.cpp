// SPDX-License-Identifier: Apache-2.0
#include "twin/LoadTwin.h"

#include "twin/LoadedLibrary.h"

#include <dlfcn.h>
#include <unistd.h>

namespace forerun {
namespace {

/// A library with another MPI would bring a copy of that: see twinmpi/README.md.
bool isOurMpi(std::string &whyNot) {
  void *const loaded = dlopen(FORERUN_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD);
  if (loaded == nullptr)
    whyNot = "the program's MPI library is not " FORERUN_MPI_SONAME;
  else
    dlclose(loaded);
  return loaded != nullptr;
}

bool loadModule(LinkNamespace &space, const TwinOf &of, std::string &whyNot) {
  const std::string module = pathOfModule(of.library);
  if (::access(module.c_str(), F_OK) != 0) // it needs none, or none has been built
    return true;
  if (!space.load(module, whyNot))
    return false;
  if (!space.agreeOn(of.function))
    whyNot = module + " was built for another " + of.library;
  return space.agreeOn(of.function);
}

} // namespace

bool loadTwin(LinkNamespace &space, const TwinOf &of, std::string &whyNot) {
  return isOurMpi(whyNot) && space.load(pathOfModule("twin_mpi"), whyNot) &&
         space.load(of.path, whyNot) && loadModule(space, of, whyNot);
}

} // namespace forerun
