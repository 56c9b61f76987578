// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_DRIVER_H
#define FORERUN_SLICER_DRIVER_H

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
/// No program is refused for the time that it takes, nor for a call that no text can be written
/// for. What that costs is said on a stream, as warnings.

namespace forerun::slicer {

/// What a run is to do without, and how long it may take.
struct DriverOptions {
  bool followExits = false;     ///< no early exit is cut
  bool allowShortReads = false; ///< a read into an array may be short
  bool handOver = true;         ///< values come from where files are opened
  std::chrono::milliseconds budget = std::chrono::seconds(60);
  /// When a step is over that begins now and has this long; tests have no clock.
  std::function<Deadline(std::chrono::milliseconds)> deadline = [](std::chrono::milliseconds time) {
    return Deadline(time);
  };
};

struct Sliced {
  std::unique_ptr<Analysis> analysis;
  std::vector<std::string> texts; ///< one for each unit; none: the program stays as it is
};

/// Slices with as exact an analysis as the budget allows. Nothing after an error message, if no
/// text can be written and no call is to blame for it.
std::optional<Sliced> sliceProgram(const Units &units, const Models &models,
                                   const Overrides &overrides, const DriverOptions &options,
                                   llvm::raw_ostream &messages);

} // namespace forerun::slicer

#endif
