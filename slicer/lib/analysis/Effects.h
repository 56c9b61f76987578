// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/FrozenSet.h"
#include "analysis/PointsTo.h"

#include <llvm/ADT/BitVector.h>
#include <set>

namespace forerun::slicer {

/// What a call of each function may modify, itself or through what it calls (GMOD of Banning 1979),
/// except its own automatic variables.
class Effects {
public:
  Effects(const Program &program, const PointsTo &pointsTo, Budget budget = {});

  bool isComplete() const { return isComplete_; }

  /// Whether this call of this function may modify the range. A function that changes what its
  /// parameter points to changes only what this call's arguments, or the globals that it names,
  /// lead to.
  bool modifies(CallId call, FunctionId callee, const Range &range) const;
  /// Whether the function, called here, can get at the object at all.
  bool reaches(CallId call, FunctionId callee, ObjectId object) const {
    return isOwn(callee, object) || reachable(call).test(static_cast<unsigned>(object));
  }
  /// Whether the function or what it calls may modify the object, its own automatic variables
  /// included. An object that it does not modify is the same at its exit as at its entry.
  bool mayModify(FunctionId function, ObjectId object) const;
  /// The functions that may modify the range in some call. Null if the range is automatic.
  const llvm::BitVector *modifiersOf(const Range &range) const;
  /// Whether what the function modifies of the object is the same for all of its calls.
  bool isOwn(FunctionId function, ObjectId object) const {
    return own_[function].test(static_cast<unsigned>(object));
  }
  /// The functions whose own statements modify the object, except the owner of an automatic one.
  std::vector<FunctionId> writersOf(ObjectId object) const;
  const std::vector<FunctionId> &calleesFirst() const { return calleesFirst_; }
  /// Whether anything modifies the object.
  bool isModified(ObjectId object) const { return modified_.count(object) > 0; }
  const PointsTo &pointsTo() const { return pointsTo_; }

private:
  using Objects = llvm::SparseBitVector<>;
  /// The functions that change an object, except the owner of an automatic one.
  struct Writers {
    mutable const llvm::BitVector *reachers = nullptr; ///< set when first asked for
    std::map<FunctionId, std::set<Range>> ranges;
  };

  void findWriters();
  void findAllocations();
  void findOwn();
  std::vector<FrozenSet> passUp(std::vector<llvm::SparseBitVector<>> sets);
  const FrozenSet &reachable(CallId call) const;
  const llvm::BitVector &reachersOf(const std::vector<FunctionId> &writers) const;
  const llvm::BitVector &reachersOf(const Writers &writers) const;

  const Program &program_;
  const PointsTo &pointsTo_;
  Budget budget_;
  bool isComplete_;
  std::vector<std::set<FunctionId>> callees_;
  std::vector<std::vector<FunctionId>> callers_; ///< by function
  std::vector<FunctionId> calleesFirst_;         ///< all functions; in any order within a recursion
  std::vector<FrozenSet> reached_;               ///< by function: itself and all that it calls
  /// By function: what it, or what it calls, can reach whatever its arguments: the globals that
  /// it names, the memory that it allocates, and what these lead to.
  std::vector<FrozenSet> own_;
  mutable std::map<CallId, FrozenSet> reachable_; ///< what the arguments lead to
  /// By functions that write: those that reach one of them. Many objects have the same writers.
  mutable std::map<std::vector<FunctionId>, llvm::BitVector> reachers_;
  std::map<ObjectId, Writers> writers_;
  std::set<ObjectId> modified_;
};

} // namespace forerun::slicer
