// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// \file
/// Where syntax is in the source text. With macros this has more than one answer:
///  - syntax spelled in a macro's argument is where the argument is written;
///  - syntax that is the whole of a macro's expansion is where the macro is used;
///  - anything else from a macro's body is in the macro's definition, once for all its uses.

namespace forerun::slicer {

/// A stretch of a file's text: [begin, end), in bytes.
struct Stretch {
  clang::FileID file;
  unsigned begin = 0, end = 0;

  bool contains(const Stretch &other) const {
    return file == other.file && begin <= other.begin && other.end <= end;
  }
  bool operator==(const Stretch &) const = default;
  bool operator<(const Stretch &other) const {
    return std::tie(file, begin, end) < std::tie(other.file, other.begin, other.end);
  }
};

/// The text that expands to exactly the tokens of `range`. Empty if there is none (a part of a
/// macro's body).
std::optional<Stretch> stretchOf(clang::SourceRange range, const clang::ASTContext &ast);

std::string textOf(const Stretch &stretch, const clang::ASTContext &ast);

/// Where the main thread's call is edited.
struct CallPlace {
  Stretch call;
  bool inMacro = false; ///< in the definition of a macro
  /// The texts of its arguments as they can be repeated there; empty text if they cannot.
  std::vector<std::string> arguments;
};

/// Empty if no edit of a text can surround the call (its name comes from one macro, its arguments
/// from another).
std::optional<CallPlace> placeOf(const clang::CallExpr *call, const clang::ASTContext &ast);

/// The place where the call itself is written, whatever macros surround it: from the first
/// character of its name to its closing parenthesis.
std::optional<Stretch> spellingOf(const clang::CallExpr *call, const clang::ASTContext &ast);

/// Whether the text is exactly that of a call: a macro may have been given only its name, or its
/// arguments without their parentheses.
bool isCallText(const Stretch &stretch, const clang::ASTContext &ast);

/// Where the first token of the call is written: file and offset, in the definition of each macro whose
/// expansion begins with the call, and outside.
std::vector<std::pair<clang::FileID, unsigned>> beginningsOf(const clang::CallExpr *call,
                                                             const clang::ASTContext &ast);

/// From the use, in a file, of the macro that the call begins with, to the end of the call.
std::optional<Stretch> useAround(const clang::CallExpr *call, const clang::ASTContext &ast);

/// Whether the preprocessor, where it meets the name of the called function, can see the closing
/// parenthesis: it does not expand a macro to look for it.
bool isWholeAtItsName(const clang::CallExpr *call, const clang::ASTContext &ast);

} // namespace forerun::slicer
