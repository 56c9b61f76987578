// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/Cost.h"
#include "slice/needs/Criteria.h"

#include <functional>

namespace forerun::slicer {

/// The search for slices in which the main thread forwards more: all candidates are tried at once,
/// and if that is a gain, each that makes no difference is dropped again. A closure is computed for
/// each try.
class Search {
public:
  /// What the slice costs with other options. Empty if time ran out, or if not all of
  /// `options.handed` can be handed over; those that cannot are added to the second.
  using CostWith = std::function<std::optional<Cost>(ClosureOptions, HandedStatements &)>;

  /// From a slice with these \p options, which costs \p before. \p exits: of candidates that decide on
  /// early exits, how they come out where the loop goes on.
  Search(const Cost &before, CostWith costWith, const ClosureOptions &options, HandedExits exits)
      : before_(before), costWith_(std::move(costWith)), options_(options),
        exits_(std::move(exits)) {}

  /// Options with as few of the candidates as give what all of them give, in the order in which they
  /// are dropped; with all of them if nothing has to be less. Nothing unless that is a gain.
  [[nodiscard]] std::optional<ClosureOptions>
  best(const std::vector<const clang::Stmt *> &candidates, const Gain &gain) const;

private:
  std::optional<Cost> costOf(HandedStatements &chosen) const;
  ClosureOptions with(const HandedStatements &chosen) const;

  const Cost before_;
  const CostWith costWith_;
  const ClosureOptions &options_;
  const HandedExits exits_;
};

} // namespace forerun::slicer
