// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Expanded.h"
#include "input/Pragmas.h"

#include <clang/Frontend/ASTUnit.h>
#include <memory>
#include <string>
#include <vector>

/// \file
/// A parsed translation unit of the program. Later stages (facts, slice) point into the AST, so all
/// units live until the last output is written.

namespace forerun::slicer {

struct Unit {
  std::unique_ptr<clang::ASTUnit> ast;
  std::string path;            ///< as given to the compiler: __FILE__ says the same
  std::vector<Pragma> pragmas; ///< in the order of the text
  Expanded expanded;           ///< the unit's text after preprocessing
};

using Units = std::vector<Unit>;

} // namespace forerun::slicer
