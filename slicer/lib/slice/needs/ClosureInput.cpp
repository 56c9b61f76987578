// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/ClosureInput.h"

#include "analysis/Walks.h"
#include "models/Ids.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

std::vector<std::vector<GroupId>> returnedBy(const Program &program) {
  std::vector<std::vector<GroupId>> result(program.functions.size());
  for (const GroupId id : ids(program.groups))
    if (program.groups[id].isReturnValue)
      result[program.nodes[program.groups[id].node].function].push_back(id);
  return result;
}

} // namespace

ClosureInput::ClosureInput(const Findings &findings, ClosureOptions given)
    : Findings(findings), options(std::move(given)),
      criteria(findCriteria(program, pointsTo, effects, options)), callsOf(callsByNode(program)),
      returned(returnedBy(program)) {}

bool ClosureInput::isEnd(FunctionId function) const {
  return program.functions[function].neverReturns && !criteria.functions.contains(function);
}

const clang::Stmt *ClosureInput::handedAs(NodeId node) const {
  const Node &own = program.nodes[node];
  const clang::Stmt *whole = own.isOperand ? program.nodes[own.enclosing].stmt : own.stmt;
  for (const clang::Stmt *each : {own.stmt, whole})
    if (options.handed.contains(each))
      return each;
  return nullptr;
}

bool ClosureInput::isHandedExit(NodeId exit) const {
  const Node &node = program.nodes[exit];
  return options.exits.contains(node.stmt) ||
         (node.enclosing != kNone && options.exits.contains(program.nodes[node.enclosing].stmt));
}

bool ClosureInput::asksClock(CallId id) const {
  const Call &call = program.calls[id];
  if (!options.askClocks || !call.model || !call.model->isClock || !call.callees.empty() ||
      !call.expr->getDirectCallee())
    return false;
  return llvm::all_of(call.expr->arguments(), [&](const clang::Expr *each) {
    return each->getType()->isPointerType() ||
           each->isIntegerConstantExpr(contextOf(program, call));
  });
}

} // namespace forerun::slicer
