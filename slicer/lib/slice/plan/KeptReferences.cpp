// SPDX-License-Identifier: Apache-2.0
#include "facts/IoCalls.h"
#include "input/StmtKinds.h"
#include "slice/plan/Unset.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>
#include <utility>

namespace forerun::slicer {

using clang::dyn_cast;

namespace {

/// Whether the call that replaces one of MPI-IO has this argument.
bool isGiven(const CallPlan::Io &io, int index) {
  const IoArguments *at = ioArguments(io.function);
  if (!at)
    return false;
  const std::vector<int> given = io.called().arguments;
  return llvm::is_contained(given, index) ||
         ((io.isFetch() || io.isWrite()) && index == at->status);
}

class Collector {
public:
  explicit Collector(const Slice &slice) : slice_(slice) {}

  void statement(const clang::Stmt *stmt) {
    if (!stmt)
      return;
    visitKind<void>(stmt,
                    Kinds{
                        [&](const clang::Expr *each) { kept(each, each); },
                        [&](const clang::DeclStmt *each) { declarations(each); },
                        [&](const clang::IfStmt *each) { kept(each, each->getCond()); },
                        [&](const clang::WhileStmt *each) { kept(each, each->getCond()); },
                        [&](const clang::DoStmt *each) { kept(each, each->getCond()); },
                        [&](const clang::SwitchStmt *each) { kept(each, each->getCond()); },
                        [&](const clang::ForStmt *each) { loop(each); },
                        [&](const clang::IndirectGotoStmt *each) { kept(each, each->getTarget()); },
                        [&](const clang::ReturnStmt *each) { returned(each); },
                        [&](const clang::OMPExecutableDirective *each) {
                          if (each->hasAssociatedStmt())
                            statement(each->getRawStmt());
                        },
                        [](const auto &) {},
                    });
    for (const clang::Stmt *each : statementsIn(stmt))
      statement(each);
  }

  KeptReferences found;

private:
  void returned(const clang::ReturnStmt *stmt) {
    if (!slice_.bareReturns.contains(stmt) || slice_.extracts.contains(stmt))
      kept(stmt, stmt->getRetValue());
  }

  void goTo(const clang::Stmt *place) {
    if (!isInside_)
      place_ = place;
  }

  /// The kept statement's own expression, or only its extracted calls.
  void kept(const clang::Stmt *stmt, const clang::Expr *own, const clang::Stmt *place = nullptr) {
    if (!slice_.statements.contains(stmt) || slice_.conditions.contains(stmt))
      return;
    goTo(place ? place : stmt);
    const auto calls = slice_.extracts.find(stmt);
    if (calls == slice_.extracts.end())
      return expression(own);
    extracted(calls->second);
  }

  void extracted(const ExtractedCalls &calls) {
    for (const ExtractedCall &each : calls) {
      guards(each);
      expression(each.call);
    }
  }

  void guards(const ExtractedCall &of) {
    for (const auto &[condition, holds] : of.guards)
      expression(condition);
  }

  void loop(const clang::ForStmt *stmt) {
    const auto *init = dyn_cast_or_null<clang::DeclStmt>(stmt->getInit());
    if (init)
      declarations(init, stmt);
    else if (stmt->getInit())
      kept(stmt->getInit(), llvm::cast<clang::Expr>(stmt->getInit()), stmt);
    kept(stmt, stmt->getCond());
    if (stmt->getInc())
      kept(stmt->getInc(), stmt->getInc(), stmt);
  }

  void declarations(const clang::DeclStmt *stmt, const clang::Stmt *place = nullptr) {
    for (const clang::Decl *each : stmt->decls()) {
      const auto *variable = dyn_cast<clang::VarDecl>(each);
      if (!variable || !variable->hasLocalStorage())
        continue;
      goTo(place ? place : stmt);
      if (slice_.initialisers.contains(variable))
        expression(variable->getInit());
      else if (const auto calls = slice_.extractedInits.find(variable);
               calls != slice_.extractedInits.end())
        extracted(calls->second);
    }
  }

  void expression(const clang::Stmt *expr) {
    if (!expr || clang::isa<clang::UnaryExprOrTypeTraitExpr>(expr) ||
        slice_.conditions.contains(expr))
      return;
    if (const auto left = slice_.operands.find(expr); left != slice_.operands.end()) {
      for (const ExtractedCall &each : left->second.calls) {
        guards(each);
        callOf(*each.call);
      }
      return;
    }
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(expr))
      found.try_emplace(name, place_);
    if (const auto *block = dyn_cast<clang::StmtExpr>(expr)) {
      const bool wasInside = std::exchange(isInside_, true);
      statement(block->getSubStmt());
      isInside_ = wasInside;
    } else if (const auto *call = dyn_cast<clang::CallExpr>(expr)) {
      callOf(*call);
    } else {
      for (const clang::Stmt *each : expr->children())
        expression(each);
    }
  }

  void callOf(const clang::CallExpr &call) {
    if (!call.getDirectCallee())
      expression(call.getCallee());
    const CallPlan *plan = slice_.planOf(&call);
    for (unsigned i = 0; i < call.getNumArgs(); ++i)
      if (!plan || isWritten(*plan, static_cast<int>(i)))
        expression(call.getArg(i));
  }

  static bool isWritten(const CallPlan &plan, int index) {
    if (const auto *receive = plan.as<CallPlan::Receive>())
      return (receive->exchange && index < receive->exchange->arguments) ||
             llvm::any_of(receive->forwarded,
                          [&](const Forwarded &each) { return each.argument == index; });
    return plan.keeps(static_cast<unsigned>(index)) &&
           (isTaken(plan.action, index) ||
            llvm::any_of(plan.choices, [&](const CallPlan::Choice &each) {
              return isTaken(each.action, index);
            }));
  }

  /// Whether what the call becomes has this argument, if that is kept.
  static bool isTaken(const CallPlan::Action &action, int index) {
    if (const auto *io = std::get_if<CallPlan::Io>(&action))
      return isGiven(*io, index);
    if (const auto *choose = std::get_if<CallPlan::Choose>(&action))
      return choose->orClone;
    return std::holds_alternative<CallPlan::Direct>(action) ||
           std::holds_alternative<CallPlan::Clone>(action) ||
           std::holds_alternative<CallPlan::StandIn>(action) ||
           std::holds_alternative<CallPlan::Twin>(action);
  }

  const Slice &slice_;
  const clang::Stmt *place_ = nullptr; ///< the statement that is being visited
  bool isInside_ = false; ///< a ({ ... }), all names of which belong to the statement around it
};

} // namespace

KeptReferences keptReferences(const clang::FunctionDecl &function, const Slice &slice) {
  Collector collector(slice);
  collector.statement(function.getBody());
  return std::move(collector.found);
}

} // namespace forerun::slicer
