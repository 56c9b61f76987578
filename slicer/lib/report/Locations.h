// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "input/Unit.h"

#include <map>

namespace forerun::slicer {

/// A place in a source file, for people.
struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0, lastLine = 0;
};

/// Finds the locations of a program's statements, whichever unit they are from.
class Locations {
public:
  Locations(const Program &program, const Units &units);
  SourcePlace of(const clang::Stmt *stmt, FunctionId function) const;
  SourcePlace of(const Node &node) const;
  /// The part of the node's statement that the node is about; for a variable, its initialiser.
  static const clang::Stmt *partOf(const Node &node);
  const clang::ASTUnit *unitOf(FunctionId function) const;
  /// The text of the line, without white space around it.
  std::string lineOf(const Node &node) const;

private:
  std::map<FunctionId, const clang::ASTUnit *> units_;
};

} // namespace forerun::slicer
