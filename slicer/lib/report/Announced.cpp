// SPDX-License-Identifier: Apache-2.0
#include "report/Announced.h"

#include "facts/IoCalls.h"
#include "report/Locations.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

using Io = CallPlan::Io;

bool isAnnounced(const CallPlan &plan) {
  return plan.action == CallPlan::Action::Io &&
         (plan.io == Io::ReadAt || plan.io == Io::Read || plan.io == Io::ReadOrdered ||
          plan.io == Io::FetchAt || plan.io == Io::Fetch);
}

std::string whyNot(const Analysis &analysis, const Call &call, bool isPlanned) {
  if (!isPlanned)
    return analysis.whyLeftOut(call);
  return analysis.isReached(call) ? "it uses the shared file pointer"
                                  : "pre-execution ends before it";
}

} // namespace

std::optional<std::string> whyNothingIsAnnounced(const Analysis &analysis, const Units &units) {
  const Program &program = analysis.program();
  const Slice &slice = analysis.slice();
  std::optional<std::string> result;
  if (program.main == kNone) // of a library
    return result;
  for (const Call &call : program.calls) {
    if (!isRead(call))
      continue;
    const auto plan = slice.plans.find(call.expr);
    const bool isPlanned = plan != slice.plans.end();
    if (isPlanned && analysis.isReached(call) && isAnnounced(chosen(plan->second, call.name)))
      return std::nullopt;
    if (result)
      continue;
    const SourcePlace place = Locations(program, units).of(call.expr, call.caller);
    result = place.file + ':' + std::to_string(place.line) + ": " + call.name + ": " +
             whyNot(analysis, call, isPlanned);
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
