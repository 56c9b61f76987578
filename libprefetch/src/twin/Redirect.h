// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <link.h>
#include <string>

/// \file
/// A library on top of another calls that by itself: netCDF calls H5Dread. In a twin these calls
/// must also go to what a module has in their place. For that they are rebound as the loader has
/// bound them: in the slots that the library's relocations name.

namespace forerun {

using FindFunction = std::function<void *(const char *name)>;

/// The name of a module's replacement for \p function of a library, in calls of the slice, where
/// \p caller is "twin", or of another library that has a module, too.
std::string inPlaceOf(const char *function, const std::string &caller = "twin");

/// Redirects each function F of others that \p library calls or points to, to what \p inPlace finds
/// for F, if anything. All have been bound (RTLD_NOW). False, with \p whyNot set: it was bound to
/// another F than \p original finds, so the module drives another library, or the system refuses.
/// Requires that only the caller knows the library.
bool redirectCalls(const link_map &library, const FindFunction &inPlace,
                   const FindFunction &original, std::string &whyNot);

} // namespace forerun
