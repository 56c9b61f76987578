// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Expr.h>
#include <functional>
#include <map>
#include <string>

/// \file
/// Arguments of a call that are used again after it: the call may change what they were computed
/// from, as in `scanf("%d %d", &last, &at[last])`. So they are evaluated before it.

namespace forerun::slicer {

class EarlyArguments {
public:
  using TextOf = std::function<std::string(int index)>;

  /// `always`: also arguments that no call can change.
  EarlyArguments(const clang::CallExpr *call, const clang::ASTContext &ast, TextOf textOf,
                 bool always)
      : call_(call), ast_(ast), textOf_(std::move(textOf)), always_(always) {}

  /// The argument as it was before the call.
  std::string value(int index);
  /// The argument as written, for uses that do not evaluate it.
  std::string text(int index) const { return textOf_(index); }
  /// What precedes the call: a declaration for each argument that needs one.
  std::string declarations() const;

private:
  const clang::CallExpr *call_;
  const clang::ASTContext &ast_;
  TextOf textOf_;
  bool always_;
  std::map<int, std::string> declared_;
};

} // namespace forerun::slicer
