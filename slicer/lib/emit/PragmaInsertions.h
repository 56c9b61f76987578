// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"

/// \file
/// What is inserted into the main thread's code for pragmas: the start before a statement, and
/// values handed over after one.

namespace forerun::slicer {

struct PragmaInsertion {
  const clang::FunctionDecl *function = nullptr; ///< the function that contains it
  unsigned offset = 0;                           ///< in the unit's main file
  std::string text;
};

/// The insertions of this unit.
std::vector<PragmaInsertion> pragmaInsertions(const EmitScope &scope);

/// Hands over a variable, through a copy where possible: if its own address were passed to the
/// runtime, the compiler would have to assume that every call may change it.
std::string forwardVariable(int site, const clang::VarDecl &variable);

/// The arguments with which one thread hands over a variable and the other receives it.
std::string handOver(int site, const std::string &name);

} // namespace forerun::slicer
