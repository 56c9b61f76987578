// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EDITS_H
#define FORERUN_SLICER_EDITS_H

#include <optional>
#include <set>
#include <string>
#include <string_view>

/// \file
/// Edits of a text: stretches put in brackets, or replaced. All offsets are those of the text as it
/// was. Equal edits count once; edits that contradict each other or overlap by half make apply()
/// fail, so that nothing is ever written that nobody meant.

namespace forerun::slicer {

class Edits {
public:
  /// Before what is wrapped from there on.
  void insert(unsigned offset, std::string text) {
    add({offset, offset, std::move(text), "", false});
  }
  /// What is put around the same or an inner stretch later stays inside.
  void wrap(unsigned begin, unsigned end, std::string before, std::string after) {
    add({begin, end, std::move(before), std::move(after), false});
  }
  void replace(unsigned begin, unsigned end, std::string text) {
    add({begin, end, std::move(text), "", true});
  }

  bool empty() const { return edits_.empty(); }
  /// The text with all edits made; nothing if they do not fit together.
  std::optional<std::string> apply(std::string_view text) const;

private:
  struct Edit {
    unsigned begin, end;
    std::string before, after;
    bool replaces; ///< `before` stands for the stretch
    bool operator==(const Edit &) const = default;
  };

  /// By place; at one place insertions come first, then the longer stretch.
  struct Order {
    bool operator()(const Edit &a, const Edit &b) const;
  };

  void add(Edit edit);
  static bool fitTogether(const Edit &outer, const Edit &inner);

  std::multiset<Edit, Order> edits_; ///< equivalent ones as they were added
};

} // namespace forerun::slicer

#endif
