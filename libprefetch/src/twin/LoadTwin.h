// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "twin/LinkNamespace.h"

#include <string>

/// \file
/// Loads a complete twin. Threads: one.

namespace forerun {

/// The library to make a twin of: its name, its path, and one of its functions.
struct TwinOf {
  std::string library, path;
  const char *function;
  bool isOnTop = false; ///< on another library whose twin is loaded
};

/// Loads into \p space: the replacement of MPI, if it is empty, the library, and the module that
/// drives its twins, if there is one. False, with \p whyNot set: it failed.
bool loadTwin(LinkNamespace &space, const TwinOf &of, std::string &whyNot);

} // namespace forerun
