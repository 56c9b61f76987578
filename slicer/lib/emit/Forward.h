// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EarlyArguments.h"
#include "emit/ExprWriter.h"

namespace forerun::slicer {

/// A statement that follows the main thread's call and hands over one value.
std::string forwardText(int site, const Forwarded &forwarded, EarlyArguments &arguments);

/// Its counterpart in the pre-execution thread.
std::string receiveText(int site, const Forwarded &forwarded, EarlyArguments &arguments,
                        ExprWriter &expr, EmitScope &scope);

} // namespace forerun::slicer
