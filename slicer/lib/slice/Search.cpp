// SPDX-License-Identifier: Apache-2.0
#include "slice/Search.h"

namespace forerun::slicer {

namespace {

/// Waiting for a number elsewhere gains nothing.
const Gain kNumber{{&Cost::computing, &Cost::data}, {}};

} // namespace

std::optional<Closure::Options> Search::best(const std::vector<const clang::Stmt *> &candidates,
                                             const Gain &gain) const {
  if (candidates.empty())
    return std::nullopt;
  const Cost before = analysis_.closure().cost();
  HandedStatements chosen(candidates.begin(), candidates.end());
  std::optional<Cost> cost = costWith(chosen);
  if (!cost || chosen.empty() || !gain.isGained(*cost, before))
    return std::nullopt;
  if (gain.less.empty())
    return with(chosen);
  for (const clang::Stmt *each : candidates) {
    HandedStatements fewer = chosen;
    if (fewer.erase(each) == 0)
      continue;
    const std::optional<Cost> without = costWith(fewer);
    const bool isNumber = conditionOf(each) == nullptr;
    if (without &&
        (gain.isNoLoss(*without, *cost) || (isNumber && kNumber.isNoLoss(*without, *cost)))) {
      cost = without;
      chosen = std::move(fewer);
    }
  }
  return gain.isGained(*cost, before) ? std::optional(with(chosen)) : std::nullopt;
}

/// Removes those that cannot be handed over. Empty if time ran out.
std::optional<Cost> Search::costWith(HandedStatements &chosen) const {
  while (true) {
    HandedStatements notHandedOver;
    const auto cost = analysis_.costWith(with(chosen), notHandedOver);
    const auto cannotBe = [&](const clang::Stmt *each) { return notHandedOver.contains(each); };
    if (cost || std::erase_if(chosen, cannotBe) == 0)
      return cost;
  }
}

Closure::Options Search::with(const HandedStatements &chosen) const {
  Closure::Options result = options_;
  for (const clang::Stmt *each : chosen) {
    result.handed.insert(each);
    if (const auto exit = exits_.find(each); exit != exits_.end())
      result.exits.insert(*exit);
  }
  return result;
}

} // namespace forerun::slicer
