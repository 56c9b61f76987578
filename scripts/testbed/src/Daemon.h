// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Settings.h"

#include <string>

/// \file
/// The process that serves a mount.

namespace forerun::testbed {

/// Starts the daemon and waits until the mount answers. Returns an empty string, or what went
/// wrong (then nothing is left mounted or running).
std::string startDaemon(const Settings &settings);

} // namespace forerun::testbed
