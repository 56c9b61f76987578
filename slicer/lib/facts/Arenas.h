// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>

namespace clang {
class Expr;
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace forerun::slicer {

/// Functions that hand out pieces of one large piece of memory, one after the other, as
/// `void *take(Arena *a, size_t n) { char *p = a->base + a->used; a->used += n; return p; }`: each
/// call gives memory of its own, as a call of malloc does.
///
/// The large piece has to be bytes in a member or a global, and nothing else in the program may use
/// it, except to set, compare and free it. The function must move a member or a global by a number
/// that depends on an integer that it is given.
class Arenas {
public:
  using Functions = std::set<const clang::FunctionDecl *>;
  explicit Arenas(const Functions &definitions);

  /// Whether the value is such a piece, if this function returns it.
  bool gives(const clang::FunctionDecl *function, const clang::Expr *value) const;

private:
  /// By member or global of bytes: the functions that use it otherwise.
  std::map<const clang::ValueDecl *, Functions> users_;
  /// By function: members and globals that it moves by what it is given.
  std::map<const clang::FunctionDecl *, std::set<const clang::ValueDecl *>> moved_;
};

} // namespace forerun::slicer
