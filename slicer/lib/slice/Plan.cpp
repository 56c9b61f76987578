// SPDX-License-Identifier: Apache-2.0
#include "slice/Plan.h"

#include "models/Ids.h"
#include "slice/AskedClones.h"
#include "slice/PlanCalls.h"
#include "slice/PlanEnds.h"
#include "slice/PlanStatements.h"
#include "slice/Privates.h"

namespace forerun::slicer {

Slice plan(const Program &program, const Effects &effects, const Closure &closure,
           std::vector<Note> &notes) {
  Slice slice;
  noteUndecided(program, effects.pointsTo(), notes);
  if (program.main == kNone || closure.criteria().calls.empty())
    return slice;
  slice.main = program.functions[program.main].definition;
  slice.clones.insert(slice.main);
  slice.standIns = program.standIns;
  slice.twins = program.twins;
  for (const FunctionId id : ids(program.functions))
    if (closure.hasClone(id))
      slice.clones.insert(program.functions[id].definition);
  slice.asked = askedClones(program, closure);
  slice.privates = privateGlobals(program, effects, closure);
  planStatements(program, closure, slice, notes);
  planCalls(program, effects.pointsTo(), closure, slice, notes);
  planEnds(program, effects.pointsTo(), closure, slice, notes);
  return slice;
}

} // namespace forerun::slicer
