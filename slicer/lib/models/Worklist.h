// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <vector>

namespace forerun::slicer {

/// A search: everything that is added is visited once, what was added last first.
///
///     Worklist<NodeId> open{from};
///     while (const auto node = open.next())
///       open.addAll(successorsOf(*node));
///     return open.met();
template <class T> class Worklist {
public:
  Worklist() = default;
  Worklist(std::initializer_list<T> first) { addAll(first); }

  /// False if it has been met before.
  bool add(const T &each) {
    const bool isNew = met_.insert(each).second;
    if (isNew)
      open_.push_back(each);
    return isNew;
  }

  template <class All> void addAll(const All &all) {
    for (const T &each : all)
      add(each);
  }

  /// Empty if all have been visited.
  std::optional<T> next() {
    if (open_.empty())
      return std::nullopt;
    T last = open_.back();
    open_.pop_back();
    return last;
  }

  /// All that have been added so far.
  const std::set<T> &met() const { return met_; }

private:
  std::set<T> met_;
  std::vector<T> open_;
};

} // namespace forerun::slicer
