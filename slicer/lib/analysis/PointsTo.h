// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/Budget.h"
#include "facts/Facts.h"

#include <deque>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/SparseBitVector.h>
#include <map>
#include <queue>
#include <vector>

namespace forerun::slicer {

/// What each pointer may point to: inclusion based (Andersen 1994), field sensitive by byte offset
/// (after Pearce, Kelly, Hankin 2007), elements of an array as one, heap by allocation site. Calls
/// through pointers are resolved during the analysis.
///
/// An object whose offsets cannot be distinguished (arithmetic on bytes) is *collapsed*: it is one
/// location.
class PointsTo {
public:
  /// Whether bytes of structures, arrays and the heap are distinguished by their offsets, or each
  /// of these is one location, which is coarser and faster.
  enum class Fields { ToldApart, AsOne };

  /// Solves `program.constraints`; fills `callees` of calls through pointers and `callers` of
  /// functions.
  explicit PointsTo(Program &program, Fields fields = Fields::ToldApart, Budget budget = {});

  bool isComplete() const { return isComplete_; }

  /// The memory that a place may denote. Empty if nothing is known about its pointer.
  using Ranges = llvm::SmallVector<Range, 2>;
  const Ranges &ranges(const Place &place) const;
  /// Those of them that are in the object.
  llvm::ArrayRef<Range> rangesIn(ObjectId object, const Place &place) const;
  /// Whether a write there replaces the old contents: the place is a single one (strong update).
  bool isExact(const Place &place) const;
  /// By object: whether a pointer in memory (also that of a parameter) may lead to it.
  std::vector<bool> pointedTo() const;
  /// Objects that a variable may point to.
  std::vector<ObjectId> targets(Var var) const;
  /// Adds to `objects` all objects that pointers in them lead to.
  void addReachable(llvm::SparseBitVector<> &objects) const;

private:
  static constexpr std::int64_t kAnyOffset = -1; ///< of a location that is a whole object

  using Location = int;
  using Locations = llvm::SparseBitVector<>;
  using Vars = llvm::SparseBitVector<>;
  struct Shift {
    Var to;
    std::int64_t offset;
    bool anyOffset;
  };
  struct Access {
    Var other;
    std::int64_t offset;
    auto operator<=>(const Access &) const = default;
  };
  struct Where {
    ObjectId object;
    std::int64_t offset;
  };
  /// A constraint of Kind::Memory.
  struct Copy {
    Var to;
    std::int64_t size;
    std::map<std::int64_t, Var> parts; ///< by offset: what is copied there
  };
  struct CopySource {
    int copy;
    std::int64_t offset;
    bool operator==(const CopySource &) const = default;
  };
  /// All that there is in a Place; a pointer by its node.
  using PlaceKey =
      std::pair<std::tuple<ObjectId, Var, unsigned>, std::pair<std::int64_t, std::int64_t>>;

  Ranges findRanges(const Place &place) const;
  Var find(Var var) const;
  const Locations &pointsOf(Var var) const { return points_[find(var)]; }
  Location newLocation(ObjectId object, std::int64_t offset);
  Location location(ObjectId object, std::int64_t offset);
  Var content(Location location) { return program_.temporaries + location; }
  Location shifted(Location from, std::int64_t offset, bool anyOffset);
  void collapse(ObjectId object);
  void addConstraint(const Constraint &constraint);
  void addEdge(Var from, Var to);
  void addShift(Var from, const Shift &shift);
  void add(Var to, Location location);
  void grow(Var var);
  void open(Var var);
  void joinCycles();
  std::vector<Var> nextOf(Var var);
  void join(Var one, Var other);
  void pass();
  void follow(Var var);
  std::vector<Access> once(std::vector<Access> &accesses) const;
  void copyFrom(int id, Location source);
  void copyPart(int id, std::int64_t base, Location part);
  void bind(CallId call, FunctionId callee);
  void solve();
  void findTargets();

  Program &program_;
  Budget budget_;
  bool isComplete_ = true;
  std::vector<Where> locations_;
  std::vector<std::map<std::int64_t, Location>> offsets_; ///< by object
  std::vector<bool> collapsed_;                           ///< by object
  std::vector<std::vector<ObjectId>> targets_; ///< objects that pointers of the same node point to
  std::vector<std::vector<unsigned>> nodesOf_; ///< by object: in `targets_`, those of what is in it
  mutable llvm::DenseMap<PlaceKey, unsigned> rangesOf_; ///< of places that were asked for
  mutable std::deque<Ranges> allRanges_;

  // The graph: a node is a Var, or several that are known to point to the same (union-find).
  mutable std::vector<Var> same_; ///< leads to the one that stands for all
  std::vector<Locations> points_; ///< by node, like all that follows
  std::vector<Locations> passed_; ///< along its edges
  std::vector<Locations> met_;    ///< by its loads, stores, copies and calls
  std::vector<Vars> edges_;
  std::vector<std::vector<Shift>> shifts_; ///< edges with an offset
  std::vector<std::vector<Access>> loads_, stores_;
  std::vector<std::vector<int>> sources_, targetsOf_; ///< copies from what it points to, and to it
  std::vector<std::vector<CallId>> calls_;            ///< through it
  std::vector<int> rank_; ///< nodes from which it is reached have lower ones, except for new edges
  bool areRanksOld_ = true; ///< there are new edges
  std::vector<bool> isOpen_;
  std::priority_queue<std::pair<int, Var>, std::vector<std::pair<int, Var>>, std::greater<>> open_;

  std::vector<Copy> copies_;
  std::vector<std::vector<CopySource>> copiedFrom_; ///< by object
  llvm::SmallVector<Location, 0> openParts_;        ///< new parts of objects that are copied from
};

} // namespace forerun::slicer
