// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_FORWARD_H
#define FORERUN_SLICER_FORWARD_H

#include "emit/EarlyArguments.h"
#include "emit/EmitScope.h"
#include "input/Places.h"

namespace forerun::slicer {

/// A statement that follows the main thread's call and hands over one value. The
/// counterpart in the pre-execution thread is ExprWriter::receiveOne.
std::string forwardText(int site, const Forwarded &forwarded, EarlyArguments &arguments);

} // namespace forerun::slicer

#endif
