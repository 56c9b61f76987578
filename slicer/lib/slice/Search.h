// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_SEARCH_H
#define FORERUN_SLICER_SEARCH_H

#include "slice/Analysis.h"

namespace forerun::slicer {

/// The search for slices in which the main thread forwards more: all candidates are tried at once,
/// and if that is a gain, each that makes no difference is dropped again. A closure is computed for
/// each try.
class Search {
public:
  /// Of slices of \p analysis with more than \p options. \p exits: of candidates that decide on early
  /// exits, how they come out where the loop goes on.
  Search(const Analysis &analysis, const Closure::Options &options, HandedExits exits = {})
      : analysis_(analysis), options_(options), exits_(std::move(exits)) {}

  /// Options with as few of the candidates as give what all of them give, in the order in which they
  /// are dropped; with all of them if nothing has to be less. Nothing unless that is a gain.
  [[nodiscard]] std::optional<Closure::Options>
  best(const std::vector<const clang::Stmt *> &candidates, const Gain &gain) const;

private:
  std::optional<Cost> costWith(HandedStatements &chosen) const;
  Closure::Options with(const HandedStatements &chosen) const;

  const Analysis &analysis_;
  const Closure::Options &options_;
  const HandedExits exits_;
};

} // namespace forerun::slicer

#endif
