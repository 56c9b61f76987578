// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_REDIRECT_H
#define FORERUN_REDIRECT_H

#include <functional>
#include <link.h>
#include <string>

/// \file
/// A library on top of another calls that by itself: netCDF calls H5Dread. In a twin these calls, too, go to
/// what a module has in their place. For that they are bound anew, as the loader has bound them: in the slots
/// that the library's relocations name.

namespace forerun {

using FindFunction = std::function<void *(const char *name)>;

/// What a module has in place of \p function of a library, for calls of the slice (\p caller: twin), or of
/// another library that has a module, too.
std::string inPlaceOf(const char *function, const std::string &caller = "twin");

/// Each function F of others that \p library calls or points to goes to what \p inPlace finds for F, if that is
/// anything. All have been bound (RTLD_NOW). False, with \p whyNot set: it was bound to another F than
/// \p original finds, so that the module drives another library, or the system refuses. Who alone knows the
/// library.
bool redirectCalls(const link_map &library, const FindFunction &inPlace,
                   const FindFunction &original, std::string &whyNot);

} // namespace forerun

#endif
