// SPDX-License-Identifier: Apache-2.0
#include "twin/LoadTwin.h"

#include "twin/LoadedLibrary.h"

#include <dlfcn.h>
#include <unistd.h>

namespace forerun {
namespace {

/// A library for another MPI would load a copy of that: see twinmpi/README.md.
bool isOurMpi(std::string &whyNot) {
  void *const loaded = dlopen(FORERUN_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD);
  if (loaded == nullptr)
    whyNot = "the program's MPI library is not " FORERUN_MPI_SONAME;
  else
    dlclose(loaded);
  return loaded != nullptr;
}

/// Empty: it needs none, or none has been built.
std::string ifThere(const std::string &path) {
  return ::access(path.c_str(), F_OK) == 0 ? path : "";
}

bool load(LinkNamespace &space, const TwinOf &of, const std::string &module, std::string &whyNot) {
  if (of.isOnTop)
    return space.loadOnTop({of.path, of.library, module}, whyNot);
  // This may replace a large library that a twin does not need.
  const std::string curl = ifThere(pathBeside("forerun_" + of.library + "_curl.so"));
  return space.load(pathBeside("forerun_twin_mpi.so"), whyNot) &&
         (curl.empty() || space.load(curl, whyNot)) && space.load(of.path, whyNot) &&
         (module.empty() || space.load(module, whyNot));
}

} // namespace

bool loadTwin(LinkNamespace &space, const TwinOf &of, std::string &whyNot) {
  const std::string module = ifThere(pathOfModule(of.library));
  if (!isOurMpi(whyNot) || !load(space, of, module, whyNot))
    return false;
  if (module.empty() || space.agreeOn(of.function))
    return true;
  whyNot = module + " was built for another " + of.library;
  return false;
}

} // namespace forerun
