// SPDX-License-Identifier: Apache-2.0
#include "analysis/CallsByNode.h"

#include "models/Ids.h"

namespace forerun::slicer {

CallsByNode callsByNode(const Program &program) {
  CallsByNode result(program.nodes.size());
  for (const CallId id : ids(program.calls))
    result[program.groups[program.calls[id].group].node].push_back(id);
  return result;
}

} // namespace forerun::slicer
