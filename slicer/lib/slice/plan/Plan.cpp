// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/Plan.h"

#include "models/Ids.h"
#include "slice/plan/Planner.h"

namespace forerun::slicer {

namespace {

Slice planOne(const Closure &closure, std::vector<Note> &notes) {
  const Program &program = closure.input().program;
  Slice slice;
  const Planner shared(closure, slice, notes);
  noteUndecided(shared);
  if (program.main == kNone || closure.criteria().calls.empty())
    return slice;
  slice.main = program.functions[program.main].definition;
  slice.clones.insert(slice.main);
  slice.standIns = program.standIns;
  slice.twins = program.twins;
  for (const FunctionId id : ids(program.functions))
    if (closure.hasClone(id))
      slice.clones.insert(program.functions[id].definition);
  planPrivates(shared);
  planStatements(shared);
  declareWhatTypesName(slice);
  planCalls(shared);
  leaveOutUnwritten(shared);
  planEnds(shared);
  return slice;
}

/// The main thread reports one site for both slices. A call that has none in the full one ends
/// pre-execution there, and so it does in the lean one.
void takeSites(const Slice &full, Slice &lean) {
  lean.sites = full.sites;
  for (auto &[call, plan] : lean.plans) {
    const CallPlan &other = full.plans.at(call);
    const auto *received = other.as<CallPlan::Receive>();
    if (plan.site >= 0 && other.site < 0)
      plan.action = other.action;
    if (received && !plan.is<CallPlan::Receive>())
      plan.action = CallPlan::Skip{received->forwarded.size(),
                                   received->exchange && !received->exchange->isLocal};
    plan.movesGenerators = other.movesGenerators;
    plan.site = other.site;
  }
  for (auto &[stmt, condition] : lean.conditions)
    condition.site = full.conditions.at(stmt).site;
  for (auto &[stmt, all] : lean.handedOver)
    all = full.handedOver.at(stmt);
}

} // namespace

Slice plan(const Closure &closure, std::vector<Note> &notes) {
  Slice slice = planOne(closure, notes);
  if (closure.lean() == nullptr)
    return slice;
  std::vector<Note> same;
  Slice lean = planOne(*closure.lean(), same);
  takeSites(slice, lean);
  slice.leanSlice = std::make_shared<const Slice>(std::move(lean));
  for (const FunctionId each : closure.withLean())
    slice.lean.insert(closure.input().program.functions[each].definition);
  return slice;
}

} // namespace forerun::slicer
