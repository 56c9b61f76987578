// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PARTNERS_H
#define FORERUN_SLICER_PARTNERS_H

#include "facts/Facts.h"

namespace forerun::slicer {

/// Whether it is known which message the call receives: from any source, or with any tag, it is
/// not.
bool receivesKnown(const Program &program, const Call &call);

/// The calls that may be made on other processes when this one is made here: of collective ones
/// those that stand in another branch of the same statement. Of a receive all that may send what it
/// receives, and all that may receive that in its place: messages are told apart by their number.
std::vector<CallId> partnersOf(const Program &program, CallId id);

} // namespace forerun::slicer

#endif
