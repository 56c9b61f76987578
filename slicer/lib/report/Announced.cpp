// SPDX-License-Identifier: Apache-2.0
#include "report/Announced.h"

#include "facts/IoCalls.h"
#include "report/Locations.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

using Io = CallPlan::Io;

bool isAnnounced(const CallPlan &plan) {
  if (plan.action == CallPlan::Action::Twin)
    return !plan.opensByTwin && !plan.writesByTwin;
  return plan.action == CallPlan::Action::Io && (plan.io == Io::ReadAt || plan.io == Io::Read ||
                                                 plan.io == Io::ReadOrdered || plan.isFetch());
}

/// \p plan: null if there is none.
std::string whyNot(const Analysis &analysis, const Call &call, const CallPlan *plan) {
  if (plan == nullptr)
    return analysis.whyLeftOut(call);
  if (!analysis.isReached(call))
    return "pre-execution ends before it";
  if (plan->action == CallPlan::Action::Exit)
    return "pre-execution ends at it";
  return isTwinRead(call) ? "the main thread forwards what the library returns"
                          : "it uses the shared file pointer";
}

} // namespace

std::optional<std::string> whyNothingIsAnnounced(const Analysis &analysis, const Units &units) {
  const Program &program = analysis.program();
  const Slice &slice = analysis.slice();
  std::optional<std::string> result;
  if (program.main == kNone) // the sources are a library's
    return result;
  for (const Call &call : program.calls) {
    if (!isRead(call) && !isTwinRead(call))
      continue;
    const auto plan = slice.plans.find(call.expr);
    const CallPlan *const planned = plan == slice.plans.end() ? nullptr : &plan->second;
    if (planned != nullptr && analysis.isReached(call) && isAnnounced(chosen(*planned, call.name)))
      return std::nullopt;
    if (result)
      continue;
    const SourcePlace place = Locations(program, units).of(call.expr, call.caller);
    result = place.file + ':' + std::to_string(place.line) + ": " + call.name + ": " +
             whyNot(analysis, call, planned);
  }
  if (result)
    return result;
  const auto pointed =
      std::find_if(program.mainOnly.begin(), program.mainOnly.end(), [](const std::string &each) {
        return ioArguments(each) && each.find("read") != std::string::npos;
      });
  if (pointed == program.mainOnly.end())
    return std::nullopt;
  return "it is not known where a pointer to " + *pointed + " is called";
}

} // namespace forerun::slicer
