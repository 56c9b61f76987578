// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

namespace forerun::slicer {

/// The calls that each node makes, in ascending order.
using CallsByNode = std::vector<std::vector<CallId>>;
CallsByNode callsByNode(const Program &program);

} // namespace forerun::slicer
