// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

namespace forerun::slicer {

/// The predicates and jumps that decide whether each node runs. After Ferrante, Ottenstein, Warren
/// (1987), on the graph with fallThrough edges. A loop without exit is given one, so that what is
/// in it depends on its conditions.
///
/// Without `earlyExits`, jumps that leave a loop or end the program are ignored: comparing the two
/// results shows what depends on these jumps alone.
using ControlDependences = std::vector<std::vector<NodeId>>;
ControlDependences controlDependences(const Program &program, bool earlyExits);

} // namespace forerun::slicer
