// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"
#include "emit/Fences.h"
#include "input/Places.h"
#include <functional>
#include <llvm/Support/SaveAndRestore.h>
#include <map>
#include <optional>

/// \file
/// Expressions (and other kept syntax) as the pre-execution thread has them: the source text with
/// replacements. Where the text cannot be copied (a replacement is in a macro's body, a macro has
/// been redefined since), what the preprocessor makes of it is, token by token; and where that is not
/// known, the expression is printed from the AST. All have the same replacements: nothing that must
/// change is ever copied unchanged.
///
/// Stores that may miss the thread's own memory are fenced (forerun/runtime.h); Fences finds them.
/// CallWriter writes the calls.

namespace forerun::slicer {

/// What the pre-execution thread has in place of a condition that is handed over.
std::string received(const HandedCondition &condition);

class ExprWriter {
public:
  using BlockWriter =
      std::function<std::optional<std::string>(const clang::StmtExpr *, bool always)>;

  /// `block` writes a statement expression, or nothing if that stays as it is, unless `always`.
  ExprWriter(EmitScope &scope, BlockWriter block) : scope_(scope), block_(std::move(block)) {}

  std::string text(const clang::Expr *expr);
  /// Calls that run although their statement does not, as expressions; without their first \p guards.
  std::vector<std::string> extracted(const ExtractedCalls &calls, std::size_t guards = 0);
  /// The text of `range`, which contains the syntax of `part`, as written or else with macros
  /// expanded; empty if it cannot be copied.
  std::optional<std::string> copy(clang::SourceRange range, const clang::Stmt *part);
  std::optional<std::string> copy(clang::SourceRange range, const clang::Decl *part);
  /// Only as written.
  std::optional<std::string> copyWritten(clang::SourceRange range, const clang::Stmt *part);
  /// Without the initialiser that ends the declaration.
  std::optional<std::string> copyWithoutInitialiser(const clang::VarDecl *variable);

  /// The head up to the body, with the clone's name.
  std::optional<std::string> copyHead(const clang::FunctionDecl *function);

  /// A declaration of `name`, without storage class; `name` may be empty.
  std::string declare(clang::QualType type, llvm::StringRef name, clang::SourceLocation where = {});
  /// The unnamed type is written as `name` from now on.
  void nameType(const clang::TagDecl *type, std::string name);
  /// Whether the type as written contains something to be replaced.
  bool hasReplacementsInType(const clang::TypeSourceInfo *type);

  /// What replaces this node in the pre-execution thread; empty if it stays as it is.
  std::optional<std::string> replacement(const clang::Stmt *node);
  /// The variable's name in the pre-execution thread.
  std::string name(const clang::VarDecl *variable);
  /// What `write` returns, which is given to a twin: that calls only twins.
  template <class Write> std::string givenToTwin(const Write &write) {
    const llvm::SaveAndRestore given(isGivenToTwin_, true);
    return write();
  }

private:
  struct Replaced {
    clang::SourceRange range;
    std::string text;
  };
  class Collector;
  class Printer;
  std::string leftOut(const LeftOutOperand &operand);
  void checkPrinted(const clang::TypeSourceInfo *type);

  std::optional<std::string> splice(const Stretch &whole, const std::vector<Replaced> &replaced);
  std::optional<std::string> copied(clang::SourceRange range,
                                    const std::vector<Replaced> &replaced);
  std::optional<std::string> expanded(clang::SourceRange range,
                                      const std::vector<Replaced> &replaced);
  bool meansTheSameAtTheEnd(const Stretch &stretch);
  std::string print(const clang::Stmt *node);
  std::optional<std::string> replaceName(const clang::DeclRefExpr *name);

  std::optional<std::string> fencedStore(const clang::Expr *place);

  EmitScope &scope_;
  BlockWriter block_;
  std::map<const clang::Stmt *, std::optional<std::string>> replacements_;
  Fences fences_{scope_};
  bool isGivenToTwin_ = false; ///< what is being written goes to a twin
  /// Fenced places, and operands that are left out, whose text is being written.
  std::set<const clang::Stmt *> open_;
  std::map<std::string, std::string> typeNames_; ///< as printed -> as written
};

} // namespace forerun::slicer
