// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_ANALYSIS_H
#define FORERUN_SLICER_ANALYSIS_H

#include "Closure.h"
#include "Plan.h"
#include "Unit.h"

#include <memory>

namespace forerun::slicer {

/// The whole pipeline from parsed units to the slice; keeps what it found on the way for those who
/// report on it.
class Analysis {
public:
  Analysis(const Units &units, const Models &models);

  /// Takes a slice, which the accessors below then show; may be repeated with other options.
  void take(Closure::Options options);

  const Slice &slice() const { return slice_; }
  const Program &program() const { return program_; }
  const Closure &closure() const { return *closure_; }
  const std::vector<Note> &notes() const { return notes_; }

private:
  Program program_;
  std::unique_ptr<PointsTo> pointsTo_;
  std::unique_ptr<Effects> effects_;
  ControlDependences control_, controlWithoutExits_;
  std::unique_ptr<Closure> closure_;
  std::vector<Note> notes_;
  Slice slice_;
};

} // namespace forerun::slicer

#endif
