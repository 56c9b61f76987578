// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EMITSCOPE_H
#define FORERUN_SLICER_EMITSCOPE_H

#include "input/Unit.h"
#include "slice/Slice.h"
#include <clang/AST/Decl.h>
#include <clang/AST/PrettyPrinter.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSet.h>
#include <string>
#include <vector>

/// \file
/// What the writers of one unit's output share: which names have a private twin, which of these the
/// kept text has used so far, and what could not be written.

namespace forerun::slicer {

/// Something for which no text can be written.
struct EmitProblem {
  const Unit *unit = nullptr;
  clang::SourceLocation where;
  std::string message;
  /// Emission succeeds without this call (its site, its place in the slice); nullptr: no call is
  /// the reason.
  const clang::CallExpr *call = nullptr;
  /// Or it succeeds if this call is in the slice, like another from the same macro.
  bool wantsSite = false;
};

/// Which functions have clones and which variables have private copies. Names with external linkage
/// mean the same in all units.
class EmitNames {
public:
  explicit EmitNames(const Slice &slice);

  bool hasClone(const clang::FunctionDecl *function) const;
  bool isPrivate(const clang::VarDecl *variable) const;
  /// Whether its clone has a parameter that says if the caller needs the bytes that it reads.
  bool isAsked(const clang::FunctionDecl *function) const { return asked_.has(function); }

  static std::string twin(const clang::NamedDecl *declaration) {
    return declaration->getNameAsString() + "__pre";
  }

private:
  struct Set {
    llvm::StringSet<> external;
    std::set<const clang::Decl *> internal; ///< canonical declarations

    void add(const clang::NamedDecl *declaration);
    bool has(const clang::NamedDecl *declaration) const;
  };

  Set twins_, asked_;
};

class EmitScope {
public:
  EmitScope(const Unit &ofUnit, const Slice &ofSlice, const EmitNames &allNames,
            std::vector<EmitProblem> &problems)
      : unit(ofUnit), slice(ofSlice), names(allNames), ast(unit.ast->getASTContext()),
        sources(ast.getSourceManager()), policy(ast.getLangOpts()), problems_(problems) {}

  void fail(clang::SourceLocation where, const std::string &message,
            const clang::CallExpr *call = nullptr, bool wantsSite = false);
  bool isInMainFile(clang::SourceLocation location) const {
    return sources.getFileID(sources.getExpansionLoc(location)) == sources.getMainFileID();
  }

  const Unit &unit;
  const Slice &slice;
  const EmitNames &names;
  clang::ASTContext &ast;
  const clang::SourceManager &sources;
  clang::PrintingPolicy policy;

  /// Canonical declarations, in the order in which kept text named them.
  llvm::SetVector<const clang::FunctionDecl *> usedClones;
  llvm::SetVector<const clang::VarDecl *> usedPrivates;

private:
  std::vector<EmitProblem> &problems_;
};

} // namespace forerun::slicer

#endif
