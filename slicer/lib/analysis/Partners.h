// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

namespace forerun::slicer {

/// Whether it is known which message the call receives; with any source or any tag, it is
/// not.
bool receivesKnown(const Program &program, const Call &call);

/// The calls that other processes may make when this one is made here. For a collective call: those
/// in another branch of the same statement. For a receive: all that may send what it receives, and
/// all that may receive that instead, since messages are distinguished by their number.
std::vector<CallId> partnersOf(const Program &program, CallId id);

} // namespace forerun::slicer
