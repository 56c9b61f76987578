// SPDX-License-Identifier: Apache-2.0
#include "slice/ClosureInput.h"

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

ClosureInput closureInput(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                          const ControlDependences &control,
                          const ControlDependences &controlWithoutExits, ClosureOptions options) {
  Criteria criteria = findCriteria(program, pointsTo, effects, options);
  return {.program = program,
          .pointsTo = pointsTo,
          .effects = effects,
          .control = control,
          .controlWithoutExits = controlWithoutExits,
          .options = std::move(options),
          .criteria = std::move(criteria),
          .callsOf = callsByNode(program),
          .returned = returnedBy(program),
          .lean = {}};
}

bool ClosureInput::isEnd(FunctionId function) const {
  return program.functions[function].neverReturns && criteria.functions.count(function) == 0;
}

const clang::Stmt *ClosureInput::handedAs(NodeId node) const {
  const Node &own = program.nodes[node];
  const clang::Stmt *whole = own.isOperand ? program.nodes[own.enclosing].stmt : own.stmt;
  for (const clang::Stmt *each : {own.stmt, whole})
    if (options.handed.count(each) > 0)
      return each;
  return nullptr;
}

bool ClosureInput::isHandedExit(NodeId exit) const {
  const Node &node = program.nodes[exit];
  return options.exits.count(node.stmt) > 0 ||
         (node.enclosing != kNone && options.exits.count(program.nodes[node.enclosing].stmt) > 0);
}

bool ClosureInput::asksClock(CallId id) const {
  const Call &call = program.calls[id];
  if (!options.askClocks || !call.model || !call.model->isClock || !call.callees.empty() ||
      !call.expr->getDirectCallee())
    return false;
  const clang::ASTContext &ast = program.functions[call.caller].definition->getASTContext();
  return llvm::all_of(call.expr->arguments(), [&](const clang::Expr *each) {
    return each->getType()->isPointerType() || each->isIntegerConstantExpr(ast);
  });
}

NodeId ClosureInput::nodeOf(CallId call) const {
  return program.groups[program.calls[call].group].node;
}

} // namespace forerun::slicer
