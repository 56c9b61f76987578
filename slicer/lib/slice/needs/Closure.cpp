// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Closure.h"

#include "models/Ids.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

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
    if (input_.isHanded(id) && llvm::any_of(input_.callsOf[id], runs))
      result.insert(input_.handedAs(id));
  return result;
}

} // namespace forerun::slicer
