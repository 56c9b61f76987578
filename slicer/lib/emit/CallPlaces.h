// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CALLPLACES_H
#define FORERUN_SLICER_CALLPLACES_H

#include "emit/EmitScope.h"

namespace forerun::slicer {

/// Tells the runtime where this unit's calls are that read or open files, before main begins: for the
/// report of a run. Empty if there is none. What comes after it has the line numbers of another file.
std::string callPlaces(const EmitScope &scope);

} // namespace forerun::slicer

#endif
