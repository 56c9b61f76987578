// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_LOADTWIN_H
#define FORERUN_LOADTWIN_H

#include "twin/LinkNamespace.h"

#include <string>

/// \file
/// A twin, whole. Threads: one.

namespace forerun {

/// The library of which a twin is wanted: its name, its path, and one of its functions.
struct TwinOf {
  std::string library, path;
  const char *function;
  bool isOnTop = false; ///< of another, whose twin is there
};

/// Loads into \p space what is there in place of MPI, if it is empty, the library, and the module that drives twins of
/// it, if there is one. False, with \p whyNot set: it does not work.
bool loadTwin(LinkNamespace &space, const TwinOf &of, std::string &whyNot);

} // namespace forerun

#endif
