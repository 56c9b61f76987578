// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_NAMEDBYTYPES_H
#define FORERUN_SLICER_NAMEDBYTYPES_H

#include "slice/Slice.h"

namespace forerun::slicer {

/// Adds to the slice's locals what the types name that its clones contain, as in `char pad[sizeof n]`,
/// `typedef __typeof__(row) Row` or `__typeof__(f(row)) result`: variables that are declared only, of
/// which nothing is needed. The types that a function defines are all in its clone.
void declareWhatTypesName(Slice &slice);

} // namespace forerun::slicer

#endif
