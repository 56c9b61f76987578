// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/Closure.h"

namespace forerun::slicer {

/// Everything that the criteria need, with the early exits and exchanges that are worth their cost,
/// and with lean clones where some calls of a function need less.
std::unique_ptr<const Closure> closureOf(const Findings &findings, ClosureOptions options);

} // namespace forerun::slicer
