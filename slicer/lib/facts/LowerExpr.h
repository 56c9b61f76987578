// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/LoweringState.h"

#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

namespace forerun::slicer {

/// Whether, and by what, it is decided that what is lowered is evaluated at all.
struct InBranch {
  bool isEntered = false;
  bool isBound = false; ///< not by guards alone
  std::vector<Guard> guards;
};

/// Lowers the expressions of one node: which memory it reads and writes, what it calls, and the
/// constraints on pointers. A value is the Var of the pointers that it may be (kNone: none).
class LowerExpr {
public:
  LowerExpr(LoweringState &state, FunctionId function, NodeId node, GroupId group)
      : state_(state), function_(function), node_(node), group_(group) {}

  Var value(const clang::Expr *expr);
  /// An expression that is a statement: its value is not used.
  void statement(const clang::Expr *expr);
  void initialise(const clang::VarDecl *variable);
  /// Address of a structure that an expression yields. `isCopied`: it is only copied to where the
  /// group's value goes.
  Var record(const clang::Expr *expr, bool isCopied);
  /// The sizes of a variable-length array.
  void sizes(clang::QualType type);

private:
  // Values.
  Var castValue(const clang::CastExpr *cast);
  bool mayPoint(clang::QualType type) const;
  Var unaryValue(const clang::UnaryOperator *op);
  Var binaryValue(const clang::BinaryOperator *op);
  Var vaArgValue(const clang::VAArgExpr *arg);
  Place argumentList(const clang::Expr *list);
  Var bodyValue(const clang::CompoundStmt *body);
  void givenByAddress(const clang::AtomicExpr &atomic);
  void parts(const clang::Stmt *stmt);

  // Memory: LowerExprPlaces.cpp.
  Place place(const clang::Expr *expr);
  Place memberPlace(const clang::MemberExpr *member);
  Place elementPlace(const clang::ArraySubscriptExpr *element);
  /// In bits.
  std::int64_t sizeOf(const clang::FieldDecl *field) const;
  /// Gives `place` the value of `expr`, whatever its type.
  void assign(const Place &place, const clang::Expr *expr, bool isCopied);
  void fill(const Place &place, const clang::InitListExpr *list);

  // Calls: LowerExprCalls.cpp.
  CallId call(const clang::CallExpr *expr);
  bool builtin(const clang::CallExpr *expr, const clang::FunctionDecl *callee);
  void allocation(Call &call);
  std::set<std::string> throughPointer(Call &call, CallId id);
  CallId choice(const Call &call, CallId id, const std::string &name, std::vector<Place> pointees);
  Var argument(Call &call, CallId id, unsigned index, const clang::Expr *expr, Place &pointee);
  bool start(Call &call, CallId id, const std::vector<Place> &pointees);

  void use(const Place &place);
  void use(const Place &place, bool isCopied);
  void define(const Place &place, CallId call = kNone, int argument = kNone);
  void names(const clang::VarDecl *variable);
  void namesIn(const clang::Stmt *stmt);
  const clang::Expr *plain(const clang::Expr *expr);
  void ordered() { state_.program.nodes[node_].isOrdered = true; }
  void conditional() {
    ordered();
    state_.program.nodes[node_].isConditional = true;
  }

  /// A part of the statement as a group of its own.
  template <class Lowering> GroupId inGroup(Group group, const Lowering &lower) {
    group.node = node_;
    const auto made = static_cast<GroupId>(state_.program.groups.size());
    state_.program.groups.push_back(std::move(group));
    const GroupId outer = std::exchange(group_, made);
    lower();
    group_ = outer;
    return made;
  }
  /// Lowers a condition that decides whether \p parts are evaluated: a guard if it can be one.
  Guard guard(const clang::Expr *condition, std::initializer_list<const clang::Expr *> parts);

  /// While a Branch is alive, what is lowered is not always evaluated: by this guard, if it has a
  /// group.
  class Branch {
  public:
    explicit Branch(LowerExpr &of, const Guard &guard = {}, bool holds = true)
        : of_(of), outer_(of.branch_) {
      of_.branch_.isEntered = true;
      of_.branch_.isBound |= guard.group == kNone;
      of_.branch_.guards.push_back({guard.condition, holds, guard.group});
    }
    ~Branch() { of_.branch_ = outer_; }
    Branch(const Branch &) = delete;
    Branch &operator=(const Branch &) = delete;

  private:
    LowerExpr &of_;
    const InBranch outer_;
  };

  LoweringState &state_;
  FunctionId function_;
  NodeId node_;
  GroupId group_;
  const clang::Expr *unused_ = nullptr; ///< its value is not used
  InBranch branch_;
  int calls_ = 0;
};

} // namespace forerun::slicer
