// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"
#include "report/Locations.h"
#include "slice/Analysis.h"

#include <functional>

/// \file
/// From parsed units to the texts that are written:
///
///     budget --step--> Analysis --Slice--> emitUnits --problems--> again without those calls
///                         |                     |
///                     too slow: a coarser    texts --handingOver--> texts of a smaller slice
///                     step, or no texts
///
/// No program is refused because it takes too long, or because something in it cannot be written: it
/// costs the call, or else the statement, or else the function. Warnings say what is left out.

namespace forerun::slicer {

constexpr unsigned kBudget = 400; ///< in millions of steps

/// Which relaxations a run uses, and how much work it may be.
struct DriverOptions {
  bool followExits = false;         ///< no early exit is cut
  bool allowShortReads = false;     ///< a read into an array may be short
  bool handOver = true;             ///< values are handed over where files are opened
  bool predict = true;              ///< what steers loops is handed over, to be predicted
  std::vector<SourcePlace> leftOut; ///< lines whose calls are left out
  std::vector<SourcePlace> dropped; ///< lines whose statements are left out, as far as possible
  std::vector<SourcePlace> ended;   ///< lines in place of whose statements pre-execution ends
  unsigned budget = kBudget;        ///< in millions of steps (analysis/Budget.h)
  /// What an attempt gets that may take so many steps; tests give less.
  std::function<Budget(std::uint64_t)> give = [](std::uint64_t steps) { return Budget(steps); };
};

struct Sliced {
  std::unique_ptr<Analysis> analysis;
  std::vector<std::string> texts; ///< one for each unit; none: the program stays as it is
  std::vector<Written> written;   ///< where the statements of clones are in them
};

/// Slices with as exact an analysis as the budget allows.
Sliced sliceProgram(const Units &units, const Models &models, const Overrides &overrides,
                    const DriverOptions &options, llvm::raw_ostream &messages);

} // namespace forerun::slicer
