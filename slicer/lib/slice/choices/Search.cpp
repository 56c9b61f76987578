// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/Search.h"

#include "slice/needs/HandedStatements.h"

namespace forerun::slicer {

namespace {

/// Waiting for a number elsewhere gains nothing.
const Gain kNumber{{&Cost::computing, &Cost::data}, {}};

} // namespace

std::optional<ClosureOptions> Search::best(const std::vector<const clang::Stmt *> &candidates,
                                           const Gain &gain) const {
  if (candidates.empty())
    return std::nullopt;
  HandedStatements chosen(candidates.begin(), candidates.end());
  std::optional<Cost> cost = costOf(chosen);
  if (!cost || chosen.empty() || !gain.isGained(*cost, before_))
    return std::nullopt;
  if (gain.less.empty())
    return with(chosen);
  for (const clang::Stmt *each : candidates) {
    HandedStatements fewer = chosen;
    if (fewer.erase(each) == 0)
      continue;
    const std::optional<Cost> without = costOf(fewer);
    const bool isNumber = conditionOf(each) == nullptr;
    if (without &&
        (gain.isNoLoss(*without, *cost) || (isNumber && kNumber.isNoLoss(*without, *cost)))) {
      cost = without;
      chosen = std::move(fewer);
    }
  }
  return gain.isGained(*cost, before_) ? std::optional(with(chosen)) : std::nullopt;
}

/// Removes those that cannot be handed over. Empty if time ran out.
std::optional<Cost> Search::costOf(HandedStatements &chosen) const {
  while (true) {
    HandedStatements notHandedOver;
    const auto cost = costWith_(with(chosen), notHandedOver);
    const auto cannotBe = [&](const clang::Stmt *each) { return notHandedOver.contains(each); };
    if (cost || std::erase_if(chosen, cannotBe) == 0)
      return cost;
  }
}

ClosureOptions Search::with(const HandedStatements &chosen) const {
  ClosureOptions result = options_;
  for (const clang::Stmt *each : chosen) {
    result.handed.insert(each);
    if (const auto exit = exits_.find(each); exit != exits_.end())
      result.exits.insert(*exit);
  }
  return result;
}

} // namespace forerun::slicer
