// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CONTROL_H
#define FORERUN_SLICER_CONTROL_H

#include "Facts.h"

namespace forerun::slicer {

/// On which predicates and jumps each node depends: by them it is decided whether it runs. After
/// Ferrante, Ottenstein, Warren (1987) on the graph with fallThrough edges; a loop without exit has
/// one for this purpose, so that what is in it depends on its conditions.
std::vector<std::vector<NodeId>> controlDependences(const Program &program);

} // namespace forerun::slicer

#endif
