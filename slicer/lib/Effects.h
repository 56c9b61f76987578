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
  Effects(const Program &program, const PointsTo &pointsTo, Deadline deadline = {});

  bool isComplete() const { return isComplete_; }

  /// By this call of this function. A function that changes what its parameter points to changes
  /// only what this call's arguments, or the globals that it names, lead to.
  bool modifies(CallId call, FunctionId callee, const Range &range) const;
  /// By anyone, anywhere.
  bool isModified(ObjectId object) const { return modified_.count(object) > 0; }
  const PointsTo &pointsTo() const { return pointsTo_; }

private:
  bool add(FunctionId function, const Range &range);
  const std::set<ObjectId> &reachable(CallId call, FunctionId callee) const;
  void findOwn();

  const Program &program_;
  const PointsTo &pointsTo_;
  Deadline deadline_;
  bool isComplete_ = true;
  std::vector<std::set<FunctionId>> callers_;
  std::vector<std::set<ObjectId>> own_; ///< by function: globals it names, memory it allocates
  mutable std::map<std::pair<CallId, FunctionId>, std::set<ObjectId>> reachable_;
  std::vector<std::map<ObjectId, std::set<Range>>> ranges_; ///< by function
  std::set<ObjectId> modified_;
};

} // namespace forerun::slicer

#endif
