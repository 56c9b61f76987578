// SPDX-License-Identifier: Apache-2.0
#include "slice/Closure.h"

#include "models/Ids.h"
#include "slice/Exchanges.h"

#include <algorithm>

namespace forerun::slicer {

Closure::Closure(const Program &program, const PointsTo &pointsTo, const Effects &effects,
                 const ControlDependences &control, const ControlDependences &controlWithoutExits,
                 Options options)
    : input_(closureInput(program, pointsTo, effects, control, controlWithoutExits,
                          std::move(options))),
      kept_(program) {
  Kept kept(program);
  Needs needs(input_, kept);
  EarlyExits exits(input_, kept, needs);
  Exchanges exchanges(input_, kept, needs);
  // Every call that leads to a criterion is needed.
  for (const FunctionId function : input_.criteria.functions)
    for (const CallId caller : program.functions[function].callers)
      needs.calls.keepCall(caller, kNone);
  for (const CallId each : input_.criteria.calls)
    needs.calls.keepCall(each, kNone);
  needs.close();
  while (exits.tryAll() || exchanges.tryAll()) {
  }
  isComplete_ = needs.isComplete();
  if (!isComplete_)
    return;
  kept_ = std::move(kept);
  cuts_ = exits.cuts();
}

bool Closure::speaksForAll(FunctionId id) const {
  const auto &functions = input_.program.functions;
  const FunctionId first = functions[id].copyOf == kNone ? id : functions[id].copyOf;
  if (functions[first].copies.empty() || hasClone(first))
    return id == first;
  for (const FunctionId each : functions[first].copies)
    if (hasClone(each))
      return id == each;
  return id == first;
}

bool Closure::isHandedOver(NodeId node) const {
  return input_.isHanded(node) && kept_.isActive(input_.program.nodes[node].group);
}

HandedStatements Closure::notHandedOver() const {
  HandedStatements result;
  const auto runs = [this](CallId each) { return kept_.isCalled(each); };
  for (const NodeId id : ids(input_.program.nodes))
    if (input_.isHanded(id) &&
        std::any_of(input_.callsOf[id].begin(), input_.callsOf[id].end(), runs))
      result.insert(input_.statementOf(id));
  return result;
}

Waits Closure::waits() const {
  Repetition repetition(input_);
  return waitsOf(input_, kept_, repetition);
}

} // namespace forerun::slicer
