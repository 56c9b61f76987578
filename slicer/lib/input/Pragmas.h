// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class PragmaHandler;
} // namespace clang

/// \file
/// The lines `#pragma forerun ...`, in the order of the preprocessor: with them the user overrides
/// the slicer. The statements that they apply to are found later, in the AST (Overrides).

namespace forerun::slicer {

struct Pragma {
  enum class Kind {
    Launch,  ///< launch: the pre-execution thread starts before the next statement
    Forward, ///< forward(x): after the next statement the main thread hands x over
    Ignore,  ///< ignore: the reads in the next statement or function are not announced
  };
  Kind kind = Kind::Ignore;
  clang::SourceLocation where; ///< of the word
  std::string variable;        ///< Kind::Forward
};

/// Adds the pragmas of a unit to `found`, which must live until the unit has been parsed. A
/// malformed one is an error of the unit, like any other in its text.
std::unique_ptr<clang::PragmaHandler> pragmaReader(std::vector<Pragma> &found);

} // namespace forerun::slicer
