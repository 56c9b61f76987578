// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/Receives.h"

#include "analysis/Requests.h"
#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "slice/plan/PlanOutput.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

/// A value that comes later has to be the only one at its site, since values are counted.
bool comesAtOnce(const std::vector<Forwarded> &all) {
  return all.size() <= 1 ||
         llvm::none_of(all, [](const Forwarded &each) { return each.request >= 0; });
}

} // namespace

Receives::Receives(const Planner &shared) : Planner(shared) {
  for (const CallId id : ids(program_.calls)) {
    const Call &call = program_.calls[id];
    for (const int i : ids(call.arguments))
      hasStarts_ |= isLater(call, i) && closure_.needsOutput(id, i);
    areFreed_ |= call.name == "MPI_Request_free";
  }
}

std::optional<CallPlan::Receive> Receives::plan(CallId id) const {
  const Call &call = program_.calls[id];
  CallPlan::Receive plan;
  const bool completes = hasStarts_ && call.model && call.model->completes;
  if (completes)
    plan.completes = completionOf(call, contextOf(program_, call));
  if (!addResult(id, plan.forwarded) || !addOutputs(id, plan.forwarded) ||
      (completes && !plan.completes))
    return std::nullopt;
  plan.isClock = closure_.asksClock(id);
  if (closure_.isExchanged(id) && !hasEffects(call) && comesAtOnce(plan.forwarded))
    exchange(call, plan);
  return plan;
}

bool Receives::addResult(CallId id, std::vector<Forwarded> &forwarded) const {
  const Call &call = program_.calls[id];
  if (!closure_.needsResult(id) ||
      startsMpi(call.name)) // it has succeeded, if anything runs at all
    return true;
  Forwarded result;
  result.isUnsure = call.model == nullptr;
  const bool isPossible = resultOf(call.expr->getType(), result);
  forwarded.push_back(result);
  return isPossible;
}

/// Adds what the call writes through arguments, and the globals that it changes.
bool Receives::addOutputs(CallId id, std::vector<Forwarded> &forwarded) const {
  const Call &call = program_.calls[id];
  const auto count = static_cast<int>(call.arguments.size());
  bool isPossible = true;
  const auto add = [&](const std::optional<Forwarded> &output) {
    isPossible &= output.has_value();
    forwarded.push_back(output.value_or(Forwarded{}));
  };
  for (const int i : ids(call.arguments))
    if (closure_.needsOutput(id, i))
      add(output(id, i));
  for (const int i : ids(call.changes))
    if (closure_.needsOutput(id, count + i))
      add(outputOf(*call.changes[i], *program_.functions[call.caller].definition));
  if (call.movesGenerators() && closure_.needsOutput(id, kNone))
    forwarded.push_back({.argument = kNone, .size = Forwarded::Size::Generators});
  return isPossible;
}

std::optional<Forwarded> Receives::output(CallId id, int index) const {
  const Call &call = program_.calls[id];
  if (!isLater(call, index)) {
    auto result = outputOf(call, index, contextOf(program_, call));
    if (result && result->size == Forwarded::Size::Communicator && !closure_.hasExchanges())
      result->size = Forwarded::Size::Pointee;
    return result;
  }
  if (areFreed_ || completionsOf(program_, pointsTo_, id).empty())
    return std::nullopt;
  return outputLater(call, index, contextOf(program_, call));
}

bool Receives::hasEffects(const Call &call) const {
  return std::any_of(call.expr->arg_begin(), call.expr->arg_end(), [&](const clang::Expr *each) {
    return each->HasSideEffects(contextOf(program_, call));
  });
}

void Receives::exchange(const Call &call, CallPlan::Receive &plan) {
  plan.exchange = {
      call.model->exchangedBy,
      requestOf(*call.model).value_or(static_cast<int>(call.arguments.size())), // it is the last
      call.model->exchange == FunctionModel::Exchange::Local};
  if (plan.forwarded.empty()) // no thread here waits for it
    plan.forwarded.push_back({.size = Forwarded::Size::Nothing});
}

} // namespace forerun::slicer
