// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_REDIRECT_H
#define FORERUN_REDIRECT_H

#include <link.h>
#include <string>

/// \file
/// A library on top of another calls that by itself: netCDF calls HDF5. In a twin these calls, too, go to
/// what a module has in their place.

namespace forerun {

/// What a module has in place of function F of a library.
std::string inPlaceOf(const std::string &function);

/// Of all libraries from \p first on, those that have undefined symbols F for which \p module defines
/// inPlaceOf(F) get that instead, but for the modules themselves. All have been bound (RTLD_NOW). False, with \p whyNot set: a library was bound to
/// another F than the module, which so drives another library than the one that is used, or its
/// relocations are of a form that is not known here. Any thread that alone knows the libraries.
bool redirectCalls(const link_map *first, void *module, std::string &whyNot);

} // namespace forerun

#endif
