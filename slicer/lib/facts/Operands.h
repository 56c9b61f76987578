// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace clang {
class Expr;
class Stmt;
} // namespace clang

namespace forerun::slicer {

/// One of the operands of a condition's && or ||.
struct Operand {
  const clang::Expr *expr = nullptr;
  bool isExit = false; ///< of a loop: it ends the loop early, as `if (!expr) break;` would
};

/// A condition of which each operand is a statement of its own (Node::isOperand), so that some of
/// them, or only calls in them, can be in the slice.
struct Operands {
  std::vector<Operand> all; ///< in order of evaluation; empty: the condition is one statement
  bool isAnd = false;
};

/// The operands of \p condition, which is that of \p stmt, an `if` or a loop. Of an `if`, if some of them are evaluated only after others and
/// contain calls; of a loop, if some of them *bound* it, as `i < n` does where the loop steps
/// `i`. The others are exits, as in `i < n && status == 0`.
Operands operandsOf(const clang::Stmt *stmt, const clang::Expr *condition);

} // namespace forerun::slicer
