// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

/// \file
/// Edits of a text: stretches are wrapped or replaced. All offsets are those of the original
/// text. Equal edits count once; edits that contradict each other or overlap partly make apply()
/// fail, so that no unintended text is ever written.

namespace forerun::slicer {

class Edits {
public:
  /// The text comes before what is wrapped from this offset on.
  void insert(unsigned offset, std::string text) {
    add({offset, offset, std::move(text), "", false});
  }
  /// A later wrap of the same or an inner stretch stays inside this one.
  void wrap(unsigned begin, unsigned end, std::string before, std::string after) {
    add({begin, end, std::move(before), std::move(after), false});
  }
  void replace(unsigned begin, unsigned end, std::string text) {
    add({begin, end, std::move(text), "", true});
  }

  bool empty() const { return edits_.empty(); }
  /// The text with all edits applied; empty if they do not fit together.
  std::optional<std::string> apply(std::string_view text) const;

private:
  struct Edit {
    unsigned begin, end;
    std::string before, after;
    bool replaces; ///< `before` replaces the stretch
    bool operator==(const Edit &) const = default;
  };

  /// By offset; at one offset insertions come first, then the longer stretch.
  struct Order {
    bool operator()(const Edit &a, const Edit &b) const;
  };

  void add(Edit edit);
  static bool fitTogether(const Edit &outer, const Edit &inner);

  std::multiset<Edit, Order> edits_; ///< equivalent ones in the order of their addition
};

} // namespace forerun::slicer
