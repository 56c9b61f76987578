// SPDX-License-Identifier: Apache-2.0
#include "analysis/Walks.h"

#include "models/Worklist.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

bool isLoop(const clang::Stmt *stmt) {
  return clang::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(stmt);
}

bool isInLoop(const Program &program, NodeId node, NodeId loop) {
  while (node != kNone && node != loop)
    node = program.nodes[node].enclosing;
  return node != kNone;
}

std::vector<NodeId> operandsOf(const Program &program, NodeId condition) {
  std::vector<NodeId> result;
  for (const NodeId each : program.functions[program.nodes[condition].function].nodes)
    if (program.nodes[each].isOperand && program.nodes[each].enclosing == condition)
      result.push_back(each);
  return result;
}

std::set<FunctionId> withCallers(const Program &program, const std::vector<FunctionId> &functions) {
  Worklist<FunctionId> open;
  open.addAll(functions);
  while (const auto function = open.next())
    for (const CallId caller : program.functions[*function].callers)
      open.add(program.calls[caller].caller);
  return open.met();
}

std::vector<CallId> waysTo(const Program &program, CallId call) {
  std::vector<CallId> result;
  Worklist<CallId> open{call};
  while (const auto each = open.next()) {
    result.push_back(*each);
    open.addAll(program.functions[program.calls[*each].caller].callers);
  }
  return result;
}

const clang::ASTContext &contextOf(const Program &program, const Call &call) {
  return program.functions[call.caller].definition->getASTContext();
}

std::optional<std::int64_t> constantOf(const Program &program, const Call &call, int argument) {
  clang::Expr::EvalResult result;
  if (argument < 0 || argument >= static_cast<int>(call.expr->getNumArgs()))
    return std::nullopt;
  const clang::Expr *expr = call.expr->getArg(static_cast<unsigned>(argument));
  if (expr->isValueDependent() || !expr->EvaluateAsInt(result, contextOf(program, call)))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

} // namespace forerun::slicer
