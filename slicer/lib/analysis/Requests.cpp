// SPDX-License-Identifier: Apache-2.0
#include "analysis/Requests.h"

#include "models/Ids.h"

#include <algorithm>

namespace forerun::slicer {

std::optional<int> requestOf(const FunctionModel &model) {
  const auto &all = model.parameters;
  const auto found = std::find_if(all.begin(), all.end(), [](const ParameterModel &each) {
    return each.name == "request" && each.writes;
  });
  if (found == all.end() || !model.nonblocking || model.name.ends_with("_init"))
    return std::nullopt;
  return static_cast<int>(found - all.begin());
}

std::vector<CallId> completionsOf(const Program &program, const PointsTo &pointsTo, CallId start) {
  const auto targets = [&](const Call &call, int argument) {
    const auto index = static_cast<std::size_t>(argument);
    const Var pointers = index < call.values.size() ? call.values[index] : kNone;
    const auto all = pointers == kNone ? std::vector<ObjectId>() : pointsTo.targets(pointers);
    return std::set(all.begin(), all.end());
  };
  std::vector<CallId> result;
  const auto request = requestOf(*program.calls[start].model);
  if (!request)
    return result;
  const std::set<ObjectId> started = targets(program.calls[start], *request);
  for (const CallId id : ids(program.calls)) {
    const Call &call = program.calls[id];
    if (!call.model || !call.model->completes)
      continue;
    const std::set<ObjectId> completed = targets(call, *call.model->completes);
    if (std::any_of(completed.begin(), completed.end(),
                    [&](ObjectId each) { return started.count(each) > 0; }))
      result.push_back(id);
  }
  return result;
}

} // namespace forerun::slicer
