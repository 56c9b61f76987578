// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"
#include <clang/AST/Expr.h>
#include <map>
#include <optional>
#include <set>

/// \file
/// Finds the stores of a clone that need the fence: all but those whose text alone shows that they
/// hit a variable of the clone, or a private global. The analysis has found that the others do too;
/// but it can be wrong, and then the program's memory would be changed.

namespace forerun::slicer {

/// How the place of a store is fenced.
struct FencedPlace {
  const clang::VarDecl *inside = nullptr; ///< an index may leave this variable; null: any pointer
  /// The place is a bit-field, whose address cannot be taken: the structure that `pointer` points
  /// to is fenced instead, and the place is its member `member`.
  const clang::Expr *pointer = nullptr;
  const clang::MemberExpr *member = nullptr;
};

class Fences {
public:
  explicit Fences(EmitScope &scope) : scope_(scope) {}

  /// Has to be called for every piece of syntax before its parts.
  void see(const clang::Stmt *node);
  /// Whether this expression has been seen as the address of what an atomic operation writes to.
  bool isWrittenThrough(const clang::Expr *address) const { return addresses_.count(address) > 0; }
  /// How this expression, which has been seen as the place of a store, is fenced.
  std::optional<FencedPlace> find(const clang::Expr *place) const;
  /// Whether it is the address of an own variable, or of a part that no index or pointer leads to.
  bool isOwnAddress(const clang::Expr *address);

private:
  struct Path;
  Path follow(const clang::Expr *place);
  void store(const clang::Expr *place);
  void storeThrough(const clang::Expr *address);
  void seeAtomic(const clang::AtomicExpr *atomic);
  bool isOwn(const clang::VarDecl *variable) const;

  EmitScope &scope_;
  std::map<const clang::Expr *, FencedPlace> places_;
  std::set<const clang::Expr *> addresses_;
};

} // namespace forerun::slicer
