// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace forerun {

/// How many processes of the job are on this node; empty if the launcher does not say (MPICH's
/// does). Reads the environment.
std::optional<int> processesOnNode();

/// Whether the calling thread may run on more cores than the job has processes on this node, so
/// that another thread need not take the program's. False if the launcher does not say how many
/// processes there are. Reads the environment.
bool areCoresToSpare();

} // namespace forerun
