// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/CloneNames.h"
#include <clang/AST/PrettyPrinter.h>
#include <llvm/ADT/SetVector.h>
#include <map>
#include <optional>
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
  /// Emission succeeds if this call is left out (its site, its place in the slice); null if no call
  /// is the reason.
  const clang::CallExpr *call = nullptr;
  /// Or it succeeds if this call is in the slice, like another one from the same macro, or if that
  /// one is left out.
  const clang::CallExpr *wanted = nullptr;
  /// Otherwise: what was being written.
  const clang::Stmt *statement = nullptr;
  const clang::FunctionDecl *function = nullptr;
};

/// Where in a unit's output a statement of a clone begins, and where it is in the source.
struct Written {
  const Unit *unit = nullptr;
  unsigned at = 0; ///< the line
  std::string file;
  unsigned line = 0;
};

class EmitScope {
public:
  EmitScope(const Unit &ofUnit, const Slice &ofSlice, const CloneNames &allNames,
            std::vector<EmitProblem> &problems)
      : unit(ofUnit), slice(ofSlice), names(allNames), ast(unit.ast->getASTContext()),
        sources(ast.getSourceManager()), policy(ast.getLangOpts()), problems_(problems) {}

  /// The scope of the unit's lean clones.
  EmitScope(const EmitScope &full, const Slice &lean)
      : unit(full.unit), slice(lean), names(full.names), ast(full.ast), sources(full.sources),
        policy(full.policy), isLean(true), inlineCopies(full.inlineCopies),
        problems_(full.problems_) {}

  /// What text written in the other scope uses is used here, too.
  void addUsesOf(const EmitScope &other);

  void fail(clang::SourceLocation where, const std::string &message,
            const clang::CallExpr *call = nullptr);
  /// A macro makes both calls, of which only `with` has a site.
  void failTogether(const clang::CallExpr *call, const clang::CallExpr *with);
  /// What is called instead of a library's function, or named instead of its variable (null: the one
  /// that the compiler knows by that name).
  std::string standIn(const std::string &name, const clang::ValueDecl *original);
  /// The twin of a library's function or variable; empty if there is none.
  std::optional<std::string> twinOf(const clang::ValueDecl *original);
  /// The same for a function by name; empty also if this unit does not declare it.
  std::optional<std::string> twinOf(const std::string &called);
  /// Ends the pre-execution thread, which cannot go on at the statement.
  std::string endsAt(const clang::Stmt &stmt) const;
  /// Whether the identifier, or a macro that it expands to, is a keyword that the program has
  /// redefined: in the appended text, keywords are plain.
  bool meansAnotherAtTheEnd(const clang::IdentifierInfo *identifier) const;
  /// The counterpart of this call that the analysis has seen (InlineCopies.h).
  const clang::CallExpr *analysed(const clang::CallExpr *call) const {
    const auto copy = inlineCopies.find(call);
    return copy == inlineCopies.end() ? call : copy->second;
  }
  bool isInMainFile(clang::SourceLocation location) const {
    return sources.getFileID(sources.getExpansionLoc(location)) == sources.getMainFileID();
  }

  const Unit &unit;
  const Slice &slice;
  const CloneNames &names;
  clang::ASTContext &ast;
  const clang::SourceManager &sources;
  clang::PrintingPolicy policy;
  const bool isLean = false;

  /// What is being written, for problems.
  const clang::Stmt *statement = nullptr;
  const clang::FunctionDecl *function = nullptr;
  /// Canonical declarations, in the order in which kept text named them.
  llvm::SetVector<const clang::FunctionDecl *> usedClones;
  llvm::SetVector<const clang::VarDecl *> usedPrivates;
  /// The stand-ins that are used, by name, each with a library function or variable that it
  /// replaces (null: the one that the compiler knows by that name).
  std::map<std::string, const clang::ValueDecl *> usedStandIns;
  std::set<std::string> usedTwins; ///< functions and variables of libraries that have twins
  std::map<const clang::CallExpr *, const clang::CallExpr *> inlineCopies;
  /// The main thread's calls that report themselves to the runtime.
  std::vector<const clang::CallExpr *> editedCalls;

private:
  std::vector<EmitProblem> &problems_;
};

} // namespace forerun::slicer
