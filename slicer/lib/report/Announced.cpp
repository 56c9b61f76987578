// SPDX-License-Identifier: Apache-2.0
#include "report/Announced.h"

#include "facts/IoCalls.h"
#include "report/Locations.h"

#include <algorithm>

namespace forerun::slicer {

namespace {

bool isAnnounced(const CallPlan::Action &action) {
  if (const auto *twin = std::get_if<CallPlan::Twin>(&action))
    return !twin->opens && !twin->writes;
  const auto *io = std::get_if<CallPlan::Io>(&action);
  return io && (io->isRead() || io->form == CallPlan::Io::Form::ReadOrdered || io->isFetch());
}

/// \p plan: null if there is none.
std::string whyNot(const Analysis &analysis, const Call &call, const CallPlan *plan) {
  if (plan == nullptr)
    return analysis.whyLeftOut(call);
  if (!analysis.isReached(call))
    return "pre-execution ends before it";
  if (plan->is<CallPlan::Exit>())
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
    const CallPlan *const plan = slice.planOf(call.expr);
    if (plan != nullptr && analysis.isReached(call) && isAnnounced(plan->actionFor(call.name)))
      return std::nullopt;
    if (result)
      continue;
    const SourcePlace place = Locations(program, units).of(call.expr, call.caller);
    result = place.file + ':' + std::to_string(place.line) + ": " + call.name + ": " +
             whyNot(analysis, call, plan);
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
