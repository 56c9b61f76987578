// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EFFECTS_H
#define FORERUN_SLICER_EFFECTS_H

#include "PointsTo.h"

#include <set>

namespace forerun::slicer {

/// What a call of each function may modify, itself or through what it calls (GMOD of Banning 1979),
/// its own automatic variables left out.
class Effects {
public:
  Effects(const Program &program, const PointsTo &pointsTo);

  bool modifies(FunctionId function, const Range &range) const;
  /// By anyone, anywhere.
  bool isModified(ObjectId object) const { return modified_.count(object) > 0; }

private:
  bool add(FunctionId function, const Range &range);

  const Program &program_;
  std::vector<std::map<ObjectId, std::set<Range>>> ranges_; ///< by function
  std::set<ObjectId> modified_;
};

} // namespace forerun::slicer

#endif
