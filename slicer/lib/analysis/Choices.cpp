// SPDX-License-Identifier: Apache-2.0
#include "analysis/Choices.h"

#include "models/Ids.h"

namespace forerun::slicer {

namespace {

/// The names of the functions that the pointer points to; empty if nothing is known about it.
std::set<std::string> functionsAt(const Program &program, const PointsTo &pointsTo, Var pointer) {
  std::set<std::string> result;
  for (const ObjectId each : pointsTo.targets(pointer))
    if (const Object &object = program.objects[each]; object.kind == Object::Kind::Function)
      result.insert(object.name);
  return result;
}

void drop(Program &program, CallId id) {
  Group &group = program.groups[program.calls[id].group];
  std::erase(group.calls, id);
  std::erase_if(program.nodes[group.node].defs,
                [id](const Access &each) { return each.call == id; });
  Call nothing;
  nothing.group = program.calls[id].group;
  nothing.caller = program.calls[id].caller;
  nothing.choiceOf = program.calls[id].choiceOf;
  program.calls[id] = nothing;
}

} // namespace

void dropChoices(Program &program, const PointsTo &pointsTo) {
  for (const CallId id : ids(program.calls)) {
    const auto known = functionsAt(program, pointsTo, program.calls[id].pointer);
    if (known.empty())
      continue;
    const auto all = std::exchange(program.calls[id].choices, {});
    for (const CallId each : all)
      if (known.count(program.calls[each].name) > 0)
        program.calls[id].choices.push_back(each);
      else
        drop(program, each);
  }
}

} // namespace forerun::slicer
