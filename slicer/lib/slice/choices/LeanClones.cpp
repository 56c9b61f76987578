// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/LeanClones.h"

#include "facts/IoCalls.h"
#include "models/Ids.h"

#include <clang/AST/Decl.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

/// By function: whether it can have two clones.
std::vector<bool> withPossibleLean(const ClosureInput &input, const Kept &full) {
  const Program &program = input.program;
  std::vector<bool> result(program.functions.size());
  for (const FunctionId each : input.criteria.functions) {
    const clang::FunctionDecl *definition = program.functions[each].definition;
    result[each] = full.hasClone(each) && each != program.main && definition &&
                   !(definition->isInlined() && definition->isExternallyVisible());
  }
  for (const Object &each : program.objects) // all callers have to call it by name
    if (each.function != kNone)
      result[each.function] = false;
  for (const Call &call : program.calls)
    if (call.allocated != kNone)
      for (const FunctionId callee : call.callees)
        result[callee] = false;
  for (const GroupId id : ids(program.groups)) // the clones would not share a static variable
    for (const clang::VarDecl *each : program.groups[id].names)
      if (full.isActive(id) && each->isStaticLocal())
        result[program.nodes[program.groups[id].node].function] = false;
  return result;
}

/// Calls that have a site, whether or not what they give is needed.
bool hasSite(const Call &call) {
  if (!call.choices.empty())
    return true;
  if (!call.callees.empty())
    return false;
  return call.pointer != kNone || call.isForwarded() || call.awaitsOpen() || call.isTwinSite() ||
         call.is(FunctionModel::Kind::Io);
}

/// By function: whether it, or one that it calls, has calls with sites.
std::vector<bool> functionsWithSites(const Program &program, const Kept &full) {
  std::vector<bool> result(program.functions.size());
  const auto leadsToSite = [&](const Call &call) {
    return hasSite(call) ||
           llvm::any_of(call.callees, [&](FunctionId each) { return result[each]; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallId id : ids(program.calls))
      if (const Call &call = program.calls[id];
          full.isCalled(id) && call.caller != kNone && !result[call.caller] && leadsToSite(call))
        result[call.caller] = changed = true;
  }
  return result;
}

/// What the lean clone takes of what the full one takes from the main thread at its sites: all that
/// is handed over at one execution of a call, or nothing.
class Sites : Grower {
public:
  Sites(const ClosureInput &input, const Kept &full, Kept &lean, Needs &needs)
      : Grower(input, lean, needs), full_(full) {}

  void need(CallId id) {
    const Call &call = program_.calls[id];
    needs_.calls.keepCall(id, call.group);
    if (isRead(call) || isTwinRead(call))
      return;
    if (!canBeSkipped(id))
      needAll(id);
    else if (isExchanged(id)) // every process counts it
      needs_.calls.needArgument(id, static_cast<int>(call.arguments.size()) - 1, call.group);
  }

  /// True if a call of which the lean clone needs something has been found to need more.
  bool needMore() {
    bool isAny = false;
    for (const FunctionId function : input_.lean.functions)
      for (const CallId id : program_.functions[function].calls())
        if (kept_.isCalled(id) && canBeSkipped(id) && !done_.contains(id) &&
            (kept_.needsAnyOutput(id) || kept_.needsResult(id))) {
          needAll(id);
          isAny = true;
        }
    return isAny;
  }

private:
  bool isExchanged(CallId id) const { return full_.exchanged().contains(id); }

  bool canBeSkipped(CallId id) const {
    const Call &call = program_.calls[id];
    if (!call.callees.empty() || call.pointer != kNone || !call.isForwarded())
      return false;
    return call.model == nullptr ||
           (!call.model->nonblocking && !call.model->completes &&
            (!isExchanged(id) || call.model->exchange == FunctionModel::Exchange::Collective ||
             call.model->exchange == FunctionModel::Exchange::Local));
  }

  void needAll(CallId id) {
    if (!done_.insert(id).second)
      return;
    const Call &call = program_.calls[id];
    const int outputs = static_cast<int>(call.arguments.size() + call.changes.size());
    for (int i = kNone; i < outputs; ++i)
      if (full_.needsOutput(id, i))
        needs_.calls.needOutput(id, i, call.group);
    if (full_.isActive(call.group))
      needs_.needGroup(call.group, {Reason::Kind::Call, call.group});
    if (!isExchanged(id))
      return;
    kept_.addExchanged(id);
    for (const int i : ids(call.arguments))
      if (full_.isActive(call.arguments[i]))
        needs_.calls.needArgument(id, i, call.group);
    needs_.calls.needUses(id);
  }

  const Kept &full_;
  std::set<CallId> done_;
};

/// What a lean clone cannot leave out of the full one: calls with sites, and early exits.
void needInLeanClone(const ClosureInput &input, const Function &function, const Kept &full,
                     const std::vector<bool> &hasSites, Sites &sites, Needs &needs) {
  const Program &program = input.program;
  for (const CallId id : function.calls()) {
    const Call &call = program.calls[id];
    if (!full.isCalled(id))
      continue;
    if (hasSite(call))
      sites.need(id);
    else if (llvm::any_of(call.callees, [&](FunctionId each) { return hasSites[each]; }))
      needs.calls.keepCall(id, call.group);
  }
  for (const NodeId id : function.nodes) {
    const Node &node = program.nodes[id];
    if (node.group != kNone && full.isActive(node.group) &&
        (node.leavesLoop || node.kind == Node::Kind::HandedOver || input.isHanded(id)))
      needs.needGroup(node.group, {Reason::Kind::Control, node.group});
  }
}

} // namespace

std::set<FunctionId> leanCandidates(const ClosureInput &input, const Kept &full) {
  const Program &program = input.program;
  const std::vector<bool> isPossible = withPossibleLean(input, full);
  std::set<FunctionId> result;
  for (const CallId id : ids(program.calls))
    if (full.isCalled(id) && full.needsOf(id))
      for (const FunctionId callee : program.calls[id].callees)
        if (isPossible[callee])
          result.insert(callee);
  return result;
}

Lean leanCalls(const ClosureInput &input, const std::set<FunctionId> &candidates, const Kept &full,
               const Kept &lean) {
  const Program &program = input.program;
  Lean result;
  const auto isIn = [&](CallId each) {
    return result.functions.contains(program.calls[each].caller);
  };
  const auto isFull = [&](CallId each) {
    return lean.needsOf(each) ||
           (candidates.contains(program.calls[each].caller) && full.needsOf(each));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const FunctionId each : candidates) {
      std::vector<CallId> calls = program.functions[each].callers;
      std::erase_if(calls, [&](CallId call) { return !full.isCalled(call); });
      if (llvm::any_of(calls, isFull) &&
          !llvm::all_of(calls, [&](CallId call) { return isFull(call) && !isIn(call); }))
        changed |= result.functions.insert(each).second;
    }
  }
  for (const FunctionId each : result.functions)
    for (const CallId call : program.functions[each].callers)
      if (full.isCalled(call) && !isFull(call))
        result.calls.insert(call);
  return result;
}

void closeLean(const ClosureInput &input, const Kept &full, Kept &lean, Needs &needs) {
  const Program &program = input.program;
  Sites sites(input, full, lean, needs);
  const std::vector<bool> hasSites = functionsWithSites(program, full);
  for (const CallId each : full.exchanged())
    if (!input.lean.functions.contains(program.calls[each].caller))
      lean.addExchanged(each);
  for (const FunctionId id : ids(program.functions))
    if (const Function &function = program.functions[id]; input.lean.functions.contains(id))
      needInLeanClone(input, function, full, hasSites, sites, needs);
    else
      needs.giveTo(function, full, function);
  do {
    needs.close();
  } while (needs.isComplete() && sites.needMore());
}

bool areAlike(const Program &program, FunctionId id, const Kept &full, const Kept &lean) {
  const Function &function = program.functions[id];
  const auto isAlike = [&](CallId each) {
    return full.isCalled(each) == lean.isCalled(each) &&
           full.needsAnyOutput(each) == lean.needsAnyOutput(each) &&
           full.needsOf(each) == lean.needsOf(each);
  };
  return llvm::all_of(function.calls(), isAlike) &&
         llvm::all_of(function.groups(),
                      [&](GroupId each) { return full.isActive(each) == lean.isActive(each); }) &&
         llvm::all_of(function.nodes,
                      [&](NodeId each) { return full.isPresent(each) == lean.isPresent(each); });
}

} // namespace forerun::slicer
