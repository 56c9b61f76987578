// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CONTROL_H
#define FORERUN_SLICER_CONTROL_H

#include "facts/Facts.h"

namespace forerun::slicer {

/// On which predicates and jumps each node depends: by them it is decided whether it runs. After
/// Ferrante, Ottenstein, Warren (1987) on the graph with fallThrough edges; a loop without exit has
/// one for this purpose, so that what is in it depends on its conditions.
///
/// Without `earlyExits` those jumps that leave a loop or end the program count as if they were not
/// there: what depends on them alone is told apart by comparing.
using ControlDependences = std::vector<std::vector<NodeId>>;
ControlDependences controlDependences(const Program &program, bool earlyExits);

} // namespace forerun::slicer

#endif
