// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ranges>
#include <vector>

namespace forerun::slicer {

/// The indices of a vector's elements, which are the ids by which the facts name them:
///
///     for (const CallId id : ids(program.calls))
///
/// The range is fixed when the loop begins.
template <class Element> auto ids(const std::vector<Element> &all) {
  return std::views::iota(0, static_cast<int>(all.size()));
}

} // namespace forerun::slicer
