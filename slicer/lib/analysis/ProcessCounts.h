// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PROCESSCOUNTS_H
#define FORERUN_SLICER_PROCESSCOUNTS_H

#include "facts/Facts.h"

#include <set>

namespace clang {
class Stmt;
class ValueDecl;
} // namespace clang

namespace forerun::slicer {

/// Variables, parameters and members that say how many processes there are, by their names alone:
/// what MPI_Comm_size writes to, and what is passed on of that.
class ProcessCounts {
public:
  explicit ProcessCounts(const Program &program);
  /// Whether it is a loop that goes as often.
  bool bounds(const clang::Stmt *loop) const;

private:
  std::set<const clang::ValueDecl *> known_;
};

} // namespace forerun::slicer

#endif
