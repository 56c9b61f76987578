// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PRAGMAINSERTIONS_H
#define FORERUN_SLICER_PRAGMAINSERTIONS_H

#include "emit/EmitScope.h"

/// \file
/// What pragmas ask to have inserted into the main thread's code: the start before a statement, and
/// values handed over behind one.

namespace forerun::slicer {

struct PragmaInsertion {
  const clang::FunctionDecl *function = nullptr; ///< in which it is
  unsigned offset = 0;                           ///< in the unit's main file
  std::string text;
};

/// Those of this unit.
std::vector<PragmaInsertion> pragmaInsertions(const EmitScope &scope);

/// Hands over a variable, by way of a copy where one can be made: of a variable whose address is
/// given away the compiler must think that every call may change it.
std::string forwardVariable(int site, const clang::VarDecl &variable);

/// The arguments with which one thread hands over a variable and the other receives it.
std::string handOver(int site, const std::string &name);

} // namespace forerun::slicer

#endif
