// SPDX-License-Identifier: Apache-2.0
#include "slice/Exchanges.h"

#include "analysis/Requests.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "models/Worklist.h"
#include "slice/Partners.h"

#include <algorithm>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

using Exchange = FunctionModel::Exchange;

bool Exchanges::tryAll() {
  bool changed = false;
  for (const CallId each : std::set(kept_.communication()))
    if (!needs_.isOver() && !isExchanged(each) && decided_.insert(each).second &&
        canBeExchanged(each))
      changed |= tryOne(each);
  return changed;
}

bool Exchanges::tryOne(CallId id) {
  const Cost before = kept_.cost();
  const std::size_t waitsBefore = waits(), loopsBefore = loops();
  const auto isLocal = [&](CallId each) {
    return program_.calls[each].model->exchange == Exchange::Local;
  };
  kept_.trial.begin();
  // What it sends may itself have been received; what it asks for, asked for.
  for (std::vector<CallId> open{id}; !open.empty() && !needs_.isOver();) {
    for (const CallId each : open) {
      exchange(each);
      if (!isLocal(each))
        for (const CallId partner : partnersOf(program_, each))
          exchange(partner);
    }
    needs_.close();
    open.clear();
    for (const CallId each : kept_.communication())
      if (!isExchanged(each) && (isLocal(each) || !isLocal(id)) && canBeExchanged(each))
        open.push_back(each);
  }
  const std::size_t maximum = before.kept + std::max<std::size_t>(32, before.kept / 4);
  const bool isWorth =
      waits() < waitsBefore && loops() <= loopsBefore && kept_.cost().kept <= maximum;
  if (isWorth)
    kept_.trial.keep();
  else
    kept_.trial.takeBack();
  return isWorth;
}

void Exchanges::exchange(CallId id) {
  if (!kept_.addExchanged(id))
    return;
  const Call &call = program_.calls[id];
  if (call.model->exchange != Exchange::Local) // the others wait for no part of this process
    keepWaysTo(id);
  const auto request = requestOf(*call.model);
  for (const int i : ids(call.arguments))
    if (i != request)
      needs_.calls.needArgument(id, i, call.group);
  if (call.model->exchange == Exchange::Receive)
    needs_.calls.needOutput(id, 0, call.group); // else no call that completes it is kept
  for (const Access &use : call.uses)
    needs_.data.needMemory(input_.nodeOf(id), use.place, call.group);
}

/// Keeps the call and all calls through which the program reaches it.
void Exchanges::keepWaysTo(CallId id) {
  Worklist<CallId> open{id};
  while (const auto each = open.next()) {
    needs_.calls.keepCall(*each, program_.calls[id].group);
    open.addAll(program_.functions[program_.calls[*each].caller].callers);
  }
}

bool Exchanges::canBeExchanged(CallId id) {
  const Call &call = program_.calls[id];
  if (call.isCallback || call.caller == 0 || !repetition_.isRepeated(id))
    return false;
  if (asksOfFile(*call.model, call.name))
    return input_.criteria.answerable.count(id) > 0;
  const Exchange exchange = call.model->exchange;
  return exchange == Exchange::Collective || exchange == Exchange::Local ||
         receivesKnown(program_, call);
}

/// Calls at which the pre-execution thread would repeatedly wait for the main thread.
std::size_t Exchanges::waits() {
  std::size_t result = 0;
  for (const CallId id : ids(program_.calls)) {
    const Call &call = program_.calls[id];
    if (!kept_.isCalled(id) || !call.callees.empty() || call.caller == 0 || isExchanged(id))
      continue;
    result += isForwarded(call) && !input_.asksClock(id) &&
              (kept_.needsAnyOutput(id) || kept_.needsResult(id)) && repetition_.isRepeated(id);
  }
  return result;
}

/// Loops of the slice other than those over the processes, or over the receivers of a
/// message.
std::size_t Exchanges::loops() const {
  std::set<NodeId> around;
  for (const CallId each : kept_.exchanged())
    for (NodeId node = input_.nodeOf(each); node != kNone; node = program_.nodes[node].enclosing)
      around.insert(node);
  std::size_t result = 0;
  for (const NodeId id : ids(program_.nodes))
    if (const auto *stmt = program_.nodes[id].stmt;
        stmt && kept_.isPresent(id) && around.count(id) == 0 && !processCounts_.bounds(stmt))
      result += clang::isa<clang::ForStmt>(stmt) || clang::isa<clang::WhileStmt>(stmt) ||
                clang::isa<clang::DoStmt>(stmt);
  return result;
}

} // namespace forerun::slicer
