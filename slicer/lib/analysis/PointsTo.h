// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_POINTSTO_H
#define FORERUN_SLICER_POINTSTO_H

#include "analysis/Deadline.h"
#include "facts/Facts.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/SparseBitVector.h>
#include <map>
#include <set>
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
  explicit PointsTo(Program &program, Fields fields = Fields::ToldApart, Deadline deadline = {});

  bool isComplete() const { return isComplete_; }

  /// The memory that a place may denote. Empty if nothing is known about its pointer.
  using Ranges = llvm::SmallVector<Range, 2>;
  Ranges ranges(const Place &place) const;
  /// Whether a write there replaces the old contents: the place is a single one (strong update).
  bool isExact(const Place &place) const;
  /// By object: whether a pointer in memory (also that of a parameter) may lead to it.
  std::vector<bool> pointedTo() const;
  /// Objects that a variable may point to.
  std::vector<ObjectId> targets(Var var) const;
  /// Adds to `objects` all objects that pointers in them lead to.
  void addReachable(llvm::SparseBitVector<> &objects) const;

private:
  using Location = int;
  struct Edge {
    Var to;
    std::int64_t offset;
    bool anyOffset;
  };
  struct Access {
    Var other;
    std::int64_t offset;
  };
  struct Where {
    ObjectId object;
    std::int64_t offset;
  };

  Location location(ObjectId object, std::int64_t offset);
  Var content(Location location) { return program_.temporaries + location; }
  Location shifted(Location from, std::int64_t offset, bool anyOffset);
  void collapse(ObjectId object);
  void addConstraint(const Constraint &constraint);
  void addEdge(Var from, Edge edge);
  void add(Var to, Location location);
  void grow(Var var);
  void process(Var var);
  void copyMemory(const Constraint &constraint);
  void bind(CallId call, FunctionId callee);
  void solve();
  void findTargets();

  Program &program_;
  Deadline deadline_;
  bool isComplete_ = true;
  std::vector<Where> locations_;
  std::vector<std::map<std::int64_t, Location>> offsets_; ///< by object
  std::vector<std::vector<unsigned>> targets_; ///< by object: those that pointers in it point to
  std::vector<bool> collapsed_;                ///< by object
  std::vector<llvm::SparseBitVector<>> points_, done_; ///< by Var
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::set<Var>> plainEdges_; ///< those without offset, to avoid duplicates
  std::vector<std::vector<Access>> loads_, stores_;
  std::vector<std::vector<int>> memory_;   ///< by Var: constraints of Kind::Memory with it
  std::vector<std::vector<int>> memoryOf_; ///< by object: those that copy from it
  std::map<Var, std::vector<CallId>> pointerCalls_;
  std::vector<Constraint> memoryConstraints_;
  std::vector<Var> open_;
  std::vector<bool> isOpen_;
  std::set<int> openMemory_;
};

} // namespace forerun::slicer

#endif
