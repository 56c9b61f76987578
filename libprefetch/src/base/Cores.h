// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forerun {

/// Whether the calling thread may run on more cores than the job has processes on this node, so
/// that another thread need not take the program's. False if the launcher does not say how many
/// processes there are. Reads the environment.
bool areCoresToSpare();

} // namespace forerun
