// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Criteria.h"

#include "analysis/Files.h"
#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using Form = FunctionModel::Form;
using Kind = FunctionModel::Kind;

namespace {

bool isAnnouncedRead(const Call &call) { return isRead(call) && !call.isIgnored; }

/// The nodes that enclose criteria, or calls that lead to them.
std::set<NodeId> around(const Program &program, const Criteria &criteria) {
  std::set<NodeId> result;
  for (const CallId id : ids(program.calls))
    if (criteria.has(id) || criteria.areLedToBy(program.calls[id]))
      for (NodeId node = program.nodeOf(id); node != kNone; node = program.nodes[node].enclosing)
        result.insert(node);
  return result;
}

} // namespace

bool Criteria::has(CallId call) const { return llvm::is_contained(calls, call); }

bool Criteria::areLedToBy(const Call &call) const {
  return llvm::any_of(call.callees, [&](FunctionId each) { return functions.contains(each); });
}

Criteria findCriteria(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                      const ClosureOptions &options) {
  Criteria result;
  const Files files(program, pointsTo, effects, options.budget);
  bool readsUnknown = false;
  const auto isIo = [&](const Call &call) {
    return call.is(Kind::Io) && !call.isCallback && call.caller != 0 &&
           call.model->form != Form::Open && !options.leftOut.contains(call.expr);
  };
  for (const CallId id : ids(program.calls))
    if (const Call &call = program.calls[id]; isIo(call) && isAnnouncedRead(call)) {
      readsUnknown |= files.of(id).empty();
      result.calls.push_back(id);
    }
  for (const CallId id : ids(program.calls))
    if (const Call &call = program.calls[id];
        isTwinRead(call) && !call.isIgnored && !options.leftOut.contains(call.expr))
      result.calls.push_back(id);
  if (!result.calls.empty())
    for (const CallId id : ids(program.calls)) {
      const Call &call = program.calls[id];
      if (!isIo(call) || isAnnouncedRead(call) || options.budget.isOver())
        continue;
      const auto of = files.of(id);
      const bool isForced = options.forced.contains(call.expr);
      // Among ignored reads, only those count that move the file pointer, from which other calls
      // read.
      if (isRead(call) && call.model->form != Form::Read && !isForced)
        continue;
      if (of.empty() || readsUnknown || files.isReadAfter(id, of) || isForced)
        result.calls.push_back(id);
    }
  for (const CallId id : ids(program.calls)) {
    const Call &call = program.calls[id];
    if (!call.model || call.isCallback || call.caller == 0 || !asksOfFile(*call.model, call.name))
      continue;
    const auto of = files.of(id);
    if (of.empty() ? readsUnknown : files.isReadAfter(id, of))
      result.answerable.insert(id);
  }
  for (const CallId id : ids(program.calls))
    if (const Call &call = program.calls[id];
        call.opened != kNone && options.forced.contains(call.expr))
      result.calls.push_back(id);
  std::vector<FunctionId> containing;
  for (const CallId each : result.calls)
    containing.push_back(program.calls[each].caller);
  result.functions = withCallers(program, containing);
  result.around = around(program, result);
  return result;
}

} // namespace forerun::slicer
