// SPDX-License-Identifier: Apache-2.0
#include "Analysis.h"

#include "Control.h"
#include "Lowering.h"

namespace forerun::slicer {

Analysis::Analysis(const Units &units, const Models &models)
    : program_(lower(units, models)), pointsTo_(std::make_unique<PointsTo>(program_)),
      effects_(std::make_unique<Effects>(program_, *pointsTo_)),
      control_(controlDependences(program_, true)),
      controlWithoutExits_(controlDependences(program_, false)) {}

void Analysis::take(Closure::Options options) {
  closure_ = std::make_unique<Closure>(program_, *pointsTo_, *effects_, control_,
                                       controlWithoutExits_, std::move(options));
  notes_.clear();
  slice_ = plan(program_, *effects_, *closure_, notes_);
}

} // namespace forerun::slicer
