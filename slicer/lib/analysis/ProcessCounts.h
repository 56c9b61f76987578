// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"

#include <set>

namespace clang {
class Stmt;
class ValueDecl;
} // namespace clang

namespace forerun::slicer {

/// Variables, parameters and members that hold the number of processes, found by name alone: what
/// MPI_Comm_size writes to, and the parameters that this is passed to.
class ProcessCounts {
public:
  explicit ProcessCounts(const Program &program);
  /// Whether it is a loop that runs once for each process.
  bool bounds(const clang::Stmt *loop) const;

private:
  std::set<const clang::ValueDecl *> known_;
};

} // namespace forerun::slicer
