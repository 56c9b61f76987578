// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/plan/CallPlan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class Decl;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

/// \file
/// The slice, as the analysis passes it to the emission: plain sets of AST nodes of all units. The
/// analysis fills them; the emission only reads them.
///
/// A *statement* here is a unit that is kept or left out as a whole:
///  - an expression statement, a `for`'s increment or initialising expression (the Expr itself);
///  - an if, while, do, for, switch (the statement stands for its condition);
///  - a return, break, continue, goto;
///  - the initialiser of a local variable (the VarDecl, in `initialisers`).
///
/// Invariants:
///  - Every statement that encloses a kept one is kept; so are the function's declarations that
///    kept text names (`locals`).
///  - A kept call of a function with a body is a call of its clone.
///  - `plans` has an entry for each call in kept text, and for each call that has a site. A call
///    in kept text has CallPlan::Gone only if its value is not used.

namespace forerun::slicer {

/// A variable that the main thread hands over after a statement.
struct HandedOver {
  const clang::VarDecl *variable = nullptr;
  int site = -1;
  const clang::FunctionDecl *function = nullptr; ///< the function that contains the statement
  bool isBranch = false; ///< the statement is an assignment, and all of a branch, without braces
};

/// A condition that the main thread evaluates in place of the pre-execution thread.
struct HandedCondition {
  int site = -1;
  const clang::FunctionDecl *function = nullptr; ///< the function that contains it
  /// How it comes out where the loop goes on, if it decides on an early exit.
  std::optional<bool> stays;
};

/// A call that runs although the statement around it does not.
struct ExtractedCall {
  const clang::CallExpr *call = nullptr;
  /// Conditions (of &&, ||, ?:) and how they must come out for the call to be made, from the
  /// outermost.
  std::vector<std::pair<const clang::Expr *, bool>> guards;
};
using ExtractedCalls = std::vector<ExtractedCall>; ///< in the order of evaluation

/// An operand of a condition's && or || that is left out.
struct LeftOutOperand {
  bool value = false;   ///< what stands in its place
  ExtractedCalls calls; ///< run before that
};

struct Slice {
  std::set<const clang::Stmt *> statements;
  std::set<const clang::VarDecl *> initialisers;
  /// Members of `statements` (or initialisers that are not in `initialisers`) of which only these
  /// calls run, in this order, each as its own statement: nothing needs what the statement does
  /// with their results. If it is an if, while or switch, nothing inside it is kept. If it is one of
  /// `bareReturns`, the function returns after them.
  std::map<const clang::Stmt *, ExtractedCalls> extracts;
  std::map<const clang::VarDecl *, ExtractedCalls> extractedInits;
  std::map<const clang::Stmt *, LeftOutOperand> operands; ///< that are left out
  /// Statements in whose place pre-execution ends.
  std::set<const clang::Stmt *> ends;
  /// Declarations that are not written: no text can be.
  std::set<const clang::Stmt *> unwritten;
  /// Returns of which only the jump is needed, not the value (a subset of `statements`).
  std::set<const clang::Stmt *> bareReturns;
  /// Local variables that kept text names: declared in the clone, with the initialiser only if it
  /// is in `initialisers`.
  std::set<const clang::VarDecl *> locals;
  /// Functions that have a clone: definitions (in each unit that defines them).
  std::set<const clang::FunctionDecl *> clones;
  /// Functions that have a second clone, the *lean* one, for calls of which nothing is needed but
  /// what they announce. They are called by name only. A subset of `clones`.
  std::set<const clang::FunctionDecl *> lean;
  /// The slice from which the lean clones are written, if there are any. It has the same sites.
  /// There, every call of a function in `lean` is one of its lean clone.
  std::shared_ptr<const Slice> leanSlice;
  /// Globals and statics (canonical declarations) of which the slice has a private copy.
  std::set<const clang::VarDecl *> privates;
  std::map<const clang::CallExpr *, CallPlan> plans;
  /// Null if there is none.
  [[nodiscard]] const CallPlan *planOf(const clang::CallExpr *call) const {
    const auto found = plans.find(call);
    return found == plans.end() ? nullptr : &found->second;
  }
  std::map<const clang::Stmt *, std::vector<HandedOver>> handedOver; ///< by statement
  /// By statement: the condition that is handed over at each execution.
  std::map<const clang::Stmt *, HandedCondition> conditions;
  /// Both in the order of their sites: that of addresses differs from run to run.
  [[nodiscard]] std::vector<std::pair<const clang::Stmt *, HandedOver>> handedOverInOrder() const {
    std::vector<std::pair<const clang::Stmt *, HandedOver>> result;
    for (const auto &[stmt, all] : handedOver)
      for (const HandedOver &each : all)
        result.emplace_back(stmt, each);
    return inOrder(std::move(result));
  }
  [[nodiscard]] std::vector<std::pair<const clang::Stmt *, HandedCondition>>
  conditionsInOrder() const {
    return inOrder(std::vector<std::pair<const clang::Stmt *, HandedCondition>>(conditions.begin(),
                                                                                conditions.end()));
  }
  /// Library functions that pointers point to: by name, what replaces them in pre-execution.
  std::map<std::string, std::string> standIns;
  /// Library variables of which stand-ins have their own copy: forerun_pre_optarg for optarg.
  std::set<std::string> libraryVariables;
  /// Functions and variables of libraries with a twin: by name, the library.
  std::map<std::string, std::string> twins;
  /// The definition of main, and all calls of MPI_Init and MPI_Init_thread: pre-execution starts
  /// after the first of them that is executed.
  const clang::FunctionDecl *main = nullptr;
  std::set<const clang::CallExpr *> inits;
  /// Set by a pragma: the thread starts before this statement, a child of a block of `launchIn`.
  const clang::Stmt *launch = nullptr;
  const clang::FunctionDecl *launchIn = nullptr;
  bool exchanges = false;      ///< some calls have `CallPlan::Receive::exchange`
  bool takesDatatypes = false; ///< the main thread hands some over: MPI is asked what they are
  int sites = 0;               ///< sites are 0..sites-1

private:
  template <class Pairs> static Pairs inOrder(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const auto &one, const auto &other) {
      return one.second.site < other.second.site;
    });
    return pairs;
  }
};

} // namespace forerun::slicer
