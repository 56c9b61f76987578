// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/Analysis.h"

#include <optional>
#include <string>

namespace forerun::slicer {

/// For a program that reads by MPI-IO but announces no read: one of the reads, and why it is left
/// out.
std::optional<std::string> whyNothingIsAnnounced(const Analysis &analysis, const Units &units);

} // namespace forerun::slicer
