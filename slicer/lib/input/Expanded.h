// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Token.h>
#include <llvm/ADT/DenseMap.h>
#include <optional>
#include <utility>
#include <vector>

namespace forerun::slicer {

/// The text of a unit as the compiler's parser meets it: all tokens, with macros expanded. Each token
/// is at a location of its own, from which syntax finds the tokens that it was made from.
class Expanded {
public:
  void add(const clang::Token &token) {
    if (!token.isAnnotation()) // of a pragma
      tokens_.push_back(token);
  }

  /// The first and the last token; empty if they are not known.
  std::optional<std::pair<std::size_t, std::size_t>> tokensOf(clang::SourceRange range) const;
  const clang::Token &at(std::size_t index) const { return tokens_[index]; }

private:
  std::vector<clang::Token> tokens_;
  /// By location; made when it is first asked for.
  mutable llvm::DenseMap<clang::SourceLocation, std::size_t> places_;
};

} // namespace forerun::slicer
