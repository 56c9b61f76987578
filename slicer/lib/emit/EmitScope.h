// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EMITSCOPE_H
#define FORERUN_SLICER_EMITSCOPE_H

#include "input/Unit.h"
#include "slice/Slice.h"
#include <clang/AST/Decl.h>
#include <clang/AST/PrettyPrinter.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSet.h>
#include <map>
#include <set>
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
  /// Or it succeeds if this call is in the slice, like another one from the same macro; or without
  /// that.
  const clang::CallExpr *wanted = nullptr;
};

/// Which functions have clones and which variables have private copies. Names with external linkage
/// mean the same in all units.
class EmitNames {
public:
  /// The names of clones and private copies are such as no unit has.
  EmitNames(const Slice &slice, const Units &units);

  bool hasClone(const clang::FunctionDecl *function) const;
  bool isPrivate(const clang::VarDecl *variable) const;
  /// Whether its clone has a parameter that says if the caller needs the bytes that it reads.
  bool isAsked(const clang::FunctionDecl *function) const { return asked_.has(function); }

  std::string twin(const clang::NamedDecl *declaration) const {
    return declaration->getNameAsString() + ending_;
  }
  std::string mainTwin() const { return "main" + ending_; }

private:
  struct Set {
    llvm::StringSet<> external;
    std::set<const clang::Decl *> internal; ///< canonical declarations

    void add(const clang::NamedDecl *declaration);
    bool has(const clang::NamedDecl *declaration) const;
  };

  Set twins_, asked_;
  std::string ending_ = "__pre";
};

class EmitScope {
public:
  EmitScope(const Unit &ofUnit, const Slice &ofSlice, const EmitNames &allNames,
            std::vector<EmitProblem> &problems)
      : unit(ofUnit), slice(ofSlice), names(allNames), ast(unit.ast->getASTContext()),
        sources(ast.getSourceManager()), policy(ast.getLangOpts()), problems_(problems) {}

  void fail(clang::SourceLocation where, const std::string &message,
            const clang::CallExpr *call = nullptr);
  /// A macro makes both calls, of which only `with` has a site.
  void failTogether(const clang::CallExpr *call, const clang::CallExpr *with);
  /// Whether a macro, or one that it uses, has a keyword in its definition that the program has
  /// redefined: what is appended has it as it is.
  bool meansAnotherAtTheEnd(const clang::IdentifierInfo *identifier) const;
  /// The same call where the analysis has seen it (InlineCopies.h).
  const clang::CallExpr *analysed(const clang::CallExpr *call) const {
    const auto copy = inlineCopies.find(call);
    return copy == inlineCopies.end() ? call : copy->second;
  }
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
  /// What stands in for functions and variables of libraries, by name, and one of what it stands for
  /// (null: what the compiler knows by that name).
  std::map<std::string, const clang::ValueDecl *> usedStandIns;
  std::set<std::string> usedTwins; ///< functions and variables of libraries that have twins
  std::map<const clang::CallExpr *, const clang::CallExpr *> inlineCopies;
  /// Those of the main thread that tell the runtime of themselves.
  std::vector<const clang::CallExpr *> editedCalls;

private:
  std::vector<EmitProblem> &problems_;
};

} // namespace forerun::slicer

#endif
