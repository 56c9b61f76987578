// SPDX-License-Identifier: Apache-2.0
#include "analysis/Streams.h"

namespace forerun::slicer {

void forwardForeignStreams(Program &program, const PointsTo &pointsTo, const Models &models) {
  for (Call &call : program.calls) {
    if (!call.model || call.model->kind != FunctionModel::Kind::StandIn)
      continue;
    const std::optional<int> stream = call.model->stream();
    if (stream && *stream < static_cast<int>(call.values.size()) &&
        pointsTo.targets(call.values[*stream]).empty())
      call.model = &models.forwarded(*call.model);
  }
}

} // namespace forerun::slicer
