// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EFFECTS_H
#define FORERUN_SLICER_EFFECTS_H

#include "analysis/PointsTo.h"

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
  /// By the function or what it calls, if its own automatic variables count as well. Whatever is
  /// not touched in a function is the same at its exit as at its entry.
  bool mayModify(FunctionId function, ObjectId object) const;
  /// By anyone, anywhere.
  bool isModified(ObjectId object) const { return modified_.count(object) > 0; }
  const PointsTo &pointsTo() const { return pointsTo_; }

private:
  using Functions = llvm::SparseBitVector<>;
  using Objects = llvm::SparseBitVector<>;
  /// Who changes an object: not its owner, if it is automatic.
  struct Writers {
    Functions all;
    std::map<FunctionId, std::set<Range>> ranges;
  };

  void findWriters();
  void findOwn();
  void passUp(std::vector<llvm::SparseBitVector<>> &sets);
  const Objects &reachable(CallId call) const;

  const Program &program_;
  const PointsTo &pointsTo_;
  Deadline deadline_;
  bool isComplete_ = true;
  std::vector<std::set<FunctionId>> callees_;
  std::vector<FunctionId> calleesFirst_; ///< all functions; in a recursion any may be the first
  std::vector<Functions> reached_;       ///< by function: itself, and what it calls in the end
  /// By function: what it meets whatever it is called with (the globals that it names, the memory
  /// that it allocates, what these lead to), itself or in what it calls.
  std::vector<Objects> own_;
  mutable std::map<CallId, Objects> reachable_; ///< what the arguments lead to
  std::map<ObjectId, Writers> writers_;
  std::set<ObjectId> modified_;
};

} // namespace forerun::slicer

#endif
