// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/ExprWriter.h"
#include "input/StmtKinds.h"

/// \file
/// The body of a clone: the function's kept statements, laid out as in the source. Statements are
/// written one by one, expressions in them by ExprWriter, so that neither comments nor preprocessor
/// directives between statements are copied.

namespace forerun::slicer {

class BodyWriter {
public:
  explicit BodyWriter(EmitScope &scope)
      : scope_(scope), expr_(scope, [this](const clang::StmtExpr *block, bool always) {
          return statementExpr(block, always);
        }) {}

  /// The text from brace to brace.
  std::string body(const clang::FunctionDecl *function);
  ExprWriter &expressions() { return expr_; }

private:
  using Indent = std::string;

  // Each of these returns whole lines, or nothing at all if nothing is kept.
  std::string statement(const clang::Stmt *statement, const Indent &indent);
  std::string linesOf(const clang::Stmt *statement, const Indent &indent);
  std::string block(const clang::CompoundStmt *block, const Indent &indent);
  std::string unknown(UnknownKind kind, const Indent &indent);
  std::string handedOver(const clang::Stmt *statement, const Indent &indent);
  std::string environment(const clang::FunctionDecl *function);
  std::string skipped(const clang::Stmt *statement, const Indent &indent);
  std::string labelsOf(const clang::Stmt *statement, const Indent &indent);
  std::string expression(const clang::Expr *expr, const Indent &indent);
  std::string extracted(const ExtractedCalls &calls, const Indent &indent);
  std::string label(const clang::LabelStmt *label, const Indent &indent);
  std::string caseLabel(const clang::SwitchCase *label, const Indent &indent);
  std::string children(const clang::CompoundStmt *block, const Indent &indent,
                       const clang::Stmt *value = nullptr);
  std::string labelled(const std::string &label, const clang::Stmt *statement,
                       const Indent &indent);

  // Statements that are kept themselves, in full.
  std::string kept(const clang::Expr *expr, const Indent &indent);
  std::string kept(const clang::IfStmt *branch, const Indent &indent);
  std::string kept(const clang::SwitchStmt *choice, const Indent &indent);
  std::string kept(const clang::WhileStmt *loop, const Indent &indent);
  std::string kept(const clang::DoStmt *loop, const Indent &indent);
  std::string kept(const clang::ForStmt *loop, const Indent &indent);
  std::string kept(const clang::Stmt *jump, const Indent &indent); ///< of any kind

  // Pieces of lines.
  std::string condition(const clang::Stmt *of, const clang::Expr *condition);
  std::string ifChain(const clang::IfStmt *statement, const Indent &indent);
  std::string controlled(const clang::Stmt *statement, const Indent &indent, bool braces = false);
  std::string returned(const clang::ReturnStmt *statement);
  std::optional<std::string> statementExpr(const clang::StmtExpr *block, bool always);
  std::optional<std::string> wholeMacro(const clang::Stmt *statement);

  // Declarations: BodyWriterLocals.cpp.
  std::string declaration(const clang::DeclStmt *statement, const Indent &indent);
  std::vector<std::string> declarations(const clang::DeclStmt *statement);
  std::optional<std::string> copiedVariable(const clang::VarDecl *variable);
  std::string variableFromTypes(const clang::VarDecl *variable);
  std::string typeDefinition(const clang::TagDecl *type);

  bool isKept(const clang::Stmt *statement) const {
    return scope_.slice.statements.count(statement) > 0;
  }
  bool isWhole(const clang::Stmt *statement) const;
  bool isWhole(const clang::DeclStmt *statement) const;
  bool hasExtracts(const clang::DeclStmt *statement) const;
  bool isKeptLocal(const clang::VarDecl *variable) const;
  bool isInitialised(const clang::VarDecl *variable) const;
  Indent indentOf(const clang::Stmt *statement, const Indent &otherwise) const;
  void findTargets(const clang::Stmt *statement);

  EmitScope &scope_;
  ExprWriter expr_;
  const clang::FunctionDecl *function_ = nullptr;
  std::set<const clang::LabelDecl *> targets_; ///< labels that kept jumps name
  Indent indent_;                              ///< of the statement being written
  unsigned namedTypes_ = 0;
};

} // namespace forerun::slicer
