// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// \file
/// The library that the program itself uses: its twin must be of the same version, and so from the
/// same file. Any thread.

namespace forerun {

struct LoadedLibrary {
  std::string path;
  void *handle = nullptr; ///< for dlsym; the library stays loaded
};

/// The one library of the process that defines \p function. Without a path, with \p whyNot set:
/// none does, the program itself does, or several do and none of them has global scope.
LoadedLibrary libraryThatDefines(const char *function, std::string &whyNot);

/// The path of a file beside the library or program that contains this code.
std::string pathBeside(const std::string &name);
/// The module there that drives the twin of \p library.
std::string pathOfModule(const std::string &library);

} // namespace forerun
