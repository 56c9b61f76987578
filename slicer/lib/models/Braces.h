// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <string>
#include <vector>

namespace forerun::slicer {

/// `a{b,c}d` is abd and acd, as in a shell. Empty if braces are unbalanced or nested.
inline std::vector<std::string> expandBraces(llvm::StringRef pattern) {
  const auto [head, more] = pattern.split('{');
  if (head.size() == pattern.size())
    return pattern.contains('}') ? std::vector<std::string>() : std::vector{pattern.str()};
  const auto [inside, tail] = more.split('}');
  if (head.contains('}') || inside.size() == more.size() || inside.contains('{'))
    return {};
  std::vector<std::string> names;
  llvm::SmallVector<llvm::StringRef> each;
  inside.split(each, ',');
  const std::vector<std::string> tails = expandBraces(tail);
  for (const llvm::StringRef part : each)
    for (const std::string &end : tails)
      names.push_back(head.str() + part.str() + end);
  return names;
}

} // namespace forerun::slicer
