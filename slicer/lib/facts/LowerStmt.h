// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/LowerExpr.h"
#include "input/StmtKinds.h"

namespace forerun::slicer {

/// Builds the control flow graph of one function, one node per statement.
///
/// A jump (break, continue, goto, return, a call that never returns) has its real successor and,
/// after Ball and Horwitz (1993), a `fallThrough`: where control would go without the jump. So a
/// statement that a jump may skip depends on the jump, and the jump is kept with it.
class LowerStmt {
public:
  LowerStmt(LoweringState &state, FunctionId function) : state_(state), function_(function) {}

  void body(const clang::FunctionDecl *definition);

private:
  /// Where control comes from: a node, or (isPseudo) a jump as if it were left out.
  struct End {
    NodeId node;
    bool isPseudo;
  };
  using Ends = std::vector<End>;
  struct Scope { ///< a loop or switch
    NodeId condition;
    bool isLoop;
    Ends breaks;
    Ends continues;
  };

  Ends statement(const clang::Stmt *stmt, Ends ends);
  Ends block(const clang::CompoundStmt *stmt, Ends ends);
  Ends handedOver(const clang::Stmt *stmt, Ends ends);
  Ends declarations(const clang::DeclStmt *stmt, Ends ends);
  Ends ifElse(const clang::IfStmt *stmt, const Ends &ends);
  Ends whileLoop(const clang::WhileStmt *stmt, const Ends &ends);
  Ends doLoop(const clang::DoStmt *stmt, const Ends &ends);
  Ends forLoop(const clang::ForStmt *stmt, Ends ends);
  Ends switchCase(const clang::SwitchStmt *stmt, const Ends &ends);
  Ends caseLabel(const clang::SwitchCase *stmt, const Ends &ends);
  Ends label(const clang::LabelStmt *stmt, const Ends &ends);
  Ends breakFrom(const clang::BreakStmt *stmt, const Ends &ends);
  Ends continueAt(const clang::ContinueStmt *stmt, const Ends &ends);
  Ends gotoLabel(const clang::GotoStmt *stmt, const Ends &ends);
  Ends indirectGoto(const clang::IndirectGotoStmt *stmt, const Ends &ends);
  struct Branches {
    Ends holds, fails;
  };
  Branches test(NodeId condition, const clang::Stmt *stmt, const clang::Expr *expr);
  Ends jump(NodeId node, Ends &target);
  Ends returnFrom(const clang::ReturnStmt *stmt, const Ends &ends);
  Ends expression(const clang::Expr *expr, const Ends &ends);
  Ends unknown(UnknownKind kind, Ends ends);

  NodeId node(Node::Kind kind, const clang::Stmt *stmt, const Ends &ends);
  void connect(const Ends &ends, NodeId to);
  LowerExpr in(NodeId node);
  NodeId labelNode(const clang::LabelDecl *label);
  /// Marks a jump that ends the innermost loop around it early.
  void leavesLoop(NodeId jump);
  bool isConstant(const clang::Expr *condition, bool value) const;
  bool endsProgram(const clang::Expr *expr) const;
  void findAddressed(const clang::Stmt *stmt);

  LoweringState &state_;
  FunctionId function_;
  std::vector<Scope> scopes_;
  std::vector<NodeId> switches_;
  std::vector<bool> hasDefault_;
  std::map<const clang::LabelDecl *, NodeId> labels_;
  std::vector<const clang::LabelDecl *> addressed_; ///< labels with `&&label` in the function
  NodeId enclosing_ = kNone;
};

} // namespace forerun::slicer
