// SPDX-License-Identifier: Apache-2.0
#include "slice/Closure.h"

#include "slice/Exchanges.h"

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
  // Wherever a criterion lies in what is called, the call is needed.
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

} // namespace forerun::slicer
