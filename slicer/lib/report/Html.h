// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/Analysis.h"

namespace forerun::slicer {

/// A page that shows the sources line by line: what is in the slice, what becomes of each call, and
/// the notes. It loads nothing from elsewhere.
std::string html(const Analysis &analysis, const Units &units);

} // namespace forerun::slicer
