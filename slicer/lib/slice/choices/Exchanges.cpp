// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/Exchanges.h"

#include "analysis/Partners.h"
#include "analysis/Requests.h"
#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"

namespace forerun::slicer {

using Exchange = FunctionModel::Exchange;

namespace {

/// Fewer calls wait for the main thread, and no loop comes with that.
const Gain kGain{{&Cost::loops}, {{&Cost::waits}}};
constexpr Growth kGrowth{.least = 32, .part = 4};

} // namespace

bool Exchanges::tryAll() {
  bool changed = false;
  for (const CallId each : std::set(kept_.communication()))
    if (!needs_.isOver() && !isExchanged(each) && decided_.insert(each).second &&
        canBeExchanged(each))
      changed |= tryOne(each);
  return changed;
}

bool Exchanges::tryOne(CallId id) {
  const Cost before = costs_.of(kept_);
  return kept_.trial.attempt([&] { exchangeAllFor(id); },
                             [&] {
                               const Cost now = costs_.of(kept_);
                               return kGain.isGained(now, before) && kGrowth.allows(now, before);
                             });
}

/// With what it sends, which may itself have been received; what it asks for, asked for.
void Exchanges::exchangeAllFor(CallId id) {
  const auto isLocal = [&](CallId each) {
    return program_.calls[each].model->exchange == Exchange::Local;
  };
  for (std::vector<CallId> open{id}; !open.empty() && !needs_.isOver();) {
    for (const CallId each : open) {
      exchange(each);
      if (!isLocal(each))
        for (const CallId partner : partnersOf(program_, each))
          exchange(partner);
    }
    needs_.close();
    open.clear();
    for (const CallId each : kept_.communication())
      if (!isExchanged(each) && (isLocal(each) || !isLocal(id)) && canBeExchanged(each))
        open.push_back(each);
  }
}

void Exchanges::exchange(CallId id) {
  if (!kept_.addExchanged(id))
    return;
  const Call &call = program_.calls[id];
  if (call.model->exchange != Exchange::Local) // the others wait for no part of this process
    for (const CallId each : waysTo(program_, id))
      needs_.calls.keepCall(each, call.group);
  const auto request = requestOf(*call.model);
  for (const int i : ids(call.arguments))
    if (i != request)
      needs_.calls.needArgument(id, i, call.group);
  if (call.model->exchange == Exchange::Receive)
    needs_.calls.needOutput(id, 0, call.group); // else no call that completes it is kept
  needs_.calls.needUses(id);
}

bool Exchanges::canBeExchanged(CallId id) {
  const Call &call = program_.calls[id];
  if (call.isCallback || call.caller == 0 || !costs_.repetition.isRepeated(id))
    return false;
  if (asksOfFile(*call.model, call.name))
    return input_.criteria.answerable.contains(id);
  const Exchange exchange = call.model->exchange;
  return exchange == Exchange::Collective || exchange == Exchange::Local ||
         receivesKnown(program_, call);
}

} // namespace forerun::slicer
