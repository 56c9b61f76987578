// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_REDIRECT_H
#define FORERUN_REDIRECT_H

#include <functional>
#include <link.h>
#include <string>

/// \file
/// A library on top of another calls that by itself: HDF5's high-level library calls H5Dread. In a twin
/// these calls, too, go to what a module has in their place. For that they are bound anew, as the loader
/// has bound them: in the slots that the library's relocations name.

namespace forerun {

/// What a module has in place of \p function of a library.
std::string inPlaceOf(const std::string &function);

/// Each function F of others that \p library calls or points to goes to inPlaceOf(F), where \p find finds
/// that. All have been bound (RTLD_NOW). False, with \p whyNot set: it was bound to another F than \p find
/// finds, so that the module drives another library, or the system refuses. Who alone knows the library.
bool redirectCalls(const link_map &library, const std::function<void *(const char *name)> &find,
                   std::string &whyNot);

} // namespace forerun

#endif
