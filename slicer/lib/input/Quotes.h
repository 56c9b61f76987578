// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Places.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <map>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace forerun::slicer {

/// The strings that the macros of a unit make of their arguments (`#x`), in which the program can see
/// how a call is written.
class Quotes {
public:
  Quotes(clang::ASTContext &unit, clang::Preprocessor &preprocessor);

  /// Whether a string has the call as other macros have expanded it.
  bool isExpanded(const clang::CallExpr *call) const { return quoted(call).isExpanded; }
  /// Whether an edit there, around the call, would be in a string.
  bool isVisible(const clang::CallExpr *call, const Stretch &place) const;

private:
  struct Quoted {
    bool isExpanded = false;
    std::vector<clang::SourceLocation> written; ///< in arguments that strings have as written
  };

  struct Made {
    clang::FileID by; ///< the expansion of the macro that makes it
    const clang::StringLiteral *text;
  };

  Quoted quoted(const clang::CallExpr *call) const;
  bool isQuotedParameter(clang::SourceLocation use) const;

  const clang::ASTContext &ast_;
  clang::Preprocessor &preprocessor_;
  std::map<clang::SourceLocation, std::vector<Made>> made_; ///< by the macro's use in a file
};

} // namespace forerun::slicer
