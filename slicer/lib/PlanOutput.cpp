// SPDX-License-Identifier: Apache-2.0
#include "PlanOutput.h"
#include "Requests.h"

#include <algorithm>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

using Size = Forwarded::Size;

namespace {

bool has(const std::vector<int> &list, int index) {
  return std::find(list.begin(), list.end(), index) != list.end();
}

/// What the model knows of the extent; false: nothing.
bool askModel(const FunctionModel &model, int index, Forwarded &result) {
  for (const auto &root : model.atRoots)
    if (root.buffer == index) {
      result.root = root.root;
      result.rootIn = root.communicator;
    }
  for (const auto &typed : model.typed)
    if (typed.buffer == index) {
      result.size = Size::Typed;
      result.count = typed.count;
      result.datatype = typed.datatype;
      result.communicator = typed.communicator.value_or(-1);
      return true;
    }
  for (const auto &spread : model.spreads)
    if (spread.buffer == index) {
      result.size = Size::Spread;
      result.count = spread.counts;
      result.displacements = spread.displacements;
      result.datatype = spread.datatype;
      result.communicator = spread.communicator;
      return true;
    }
  for (const auto &length : model.lengths)
    if (length.array == index) {
      result.size = Size::Counted;
      result.count = length.count;
    }
  if (has(model.datatypes, index))
    result.size = Size::Datatype;
  else if (has(model.communicators, index))
    result.size = Size::Communicator;
  else if (has(model.texts, index))
    result.size = Size::Text;
  return result.size != Size::Pointee;
}

bool hasEffects(const Call &call, int index, const clang::ASTContext &ast) {
  return index >= 0 && call.expr->getArg(static_cast<unsigned>(index))->HasSideEffects(ast);
}

} // namespace

std::optional<Forwarded> outputOf(const Call &call, int index, const clang::ASTContext &ast) {
  Forwarded result;
  result.argument = index;
  const bool isTold = call.model && askModel(*call.model, index, result);
  for (const int each : {result.argument, result.count, result.datatype, result.displacements,
                         result.communicator, result.root, result.rootIn})
    if (hasEffects(call, each, ast))
      return std::nullopt;
  if (isTold)
    return result;
  const clang::QualType type =
      call.expr->getArg(static_cast<unsigned>(index))->IgnoreParenCasts()->getType();
  if (type->isConstantArrayType() || type->isVariableArrayType()) {
    result.size = Size::Array;
    return result;
  }
  const clang::QualType to = type->getPointeeType();
  if (to.isNull() || to->isVoidType() || to->isIncompleteType() || to->isFunctionType())
    return std::nullopt;
  return result;
}

bool isLater(const Call &call, int index) {
  return call.model && call.model->nonblocking &&
         call.model->kind == FunctionModel::Kind::Forward && requestOf(*call.model) != index;
}

std::optional<Forwarded> outputLater(const Call &call, int index, const clang::ASTContext &ast) {
  auto result = outputOf(call, index, ast);
  const auto request = requestOf(*call.model);
  if (!result || !request || hasEffects(call, *request, ast) ||
      (result->size != Size::Typed && result->size != Size::Spread))
    return std::nullopt;
  result->request = *request;
  return result;
}

bool completes(const Call &call, const clang::ASTContext &ast, CallPlan &plan) {
  plan.completes = call.model->completes.value_or(kNone);
  for (const auto &length : call.model->lengths)
    if (length.array == plan.completes)
      plan.requests = length.count;
  return !hasEffects(call, plan.completes, ast) && !hasEffects(call, plan.requests, ast);
}

} // namespace forerun::slicer
