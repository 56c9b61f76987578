// SPDX-License-Identifier: Apache-2.0
#include "emit/Edits.h"
#include <algorithm>
#include <vector>

namespace forerun::slicer {

bool Edits::Order::operator()(const Edit &a, const Edit &b) const {
  if (a.begin != b.begin)
    return a.begin < b.begin;
  bool aIsPoint = a.begin == a.end, bIsPoint = b.begin == b.end;
  return aIsPoint != bIsPoint ? aIsPoint : a.end > b.end;
}

void Edits::add(Edit edit) {
  auto [first, last] = edits_.equal_range(edit);
  if (std::find(first, last, edit) == last)
    edits_.insert(std::move(edit));
}

/// `inner` begins inside `outer`, which is still open there.
bool Edits::fitTogether(const Edit &outer, const Edit &inner) {
  bool same = inner.begin == outer.begin && inner.end == outer.end;
  return inner.end <= outer.end && !same && !outer.replaces;
}

std::optional<std::string> Edits::apply(std::string_view text) const {
  std::string result;
  std::vector<const Edit *> open;
  unsigned done = 0;
  auto copyTo = [&](unsigned end) {
    result.append(text.substr(done, end - done));
    done = end;
  };
  auto closeUpTo = [&](unsigned offset) {
    while (!open.empty() && open.back()->end <= offset) {
      copyTo(open.back()->end);
      result += open.back()->after;
      open.pop_back();
    }
  };
  for (const Edit &edit : edits_) {
    if (edit.end > text.size() || edit.end < edit.begin)
      return std::nullopt;
    closeUpTo(edit.begin);
    if (!open.empty() && !fitTogether(*open.back(), edit))
      return std::nullopt;
    copyTo(edit.begin);
    result += edit.before;
    if (edit.replaces)
      done = edit.end;
    open.push_back(&edit);
  }
  closeUpTo(static_cast<unsigned>(text.size()));
  copyTo(static_cast<unsigned>(text.size()));
  return result;
}

} // namespace forerun::slicer
