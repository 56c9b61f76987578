// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Frame.h"
#include "input/Overrides.h"
#include "slice/choices/Search.h"
#include "slice/plan/Plan.h"

#include <memory>
#include <optional>

namespace forerun::slicer {

/// Whether the node is a statement of the program itself; only these are counted.
bool isStatement(const Program &program, const Node &node);

/// The whole pipeline from parsed units to the slice. Keeps intermediate results for reports.
class Analysis {
public:
  enum class Functions { All, OfFrame };
  struct Limits {
    PointsTo::Fields fields = PointsTo::Fields::ToldApart;
    Budget budget;
    Functions functions = Functions::All;
  };

  Analysis(const Units &units, const Models &models, Overrides overrides = {});
  Analysis(const Units &units, const Models &models, Overrides overrides, const Limits &limits);

  /// Computes a slice, which the accessors below then show; may be repeated with other options.
  void take(Closure::Options options);

  /// What the slice costs.
  Cost cost() const;
  /// A search for slices with more than \p options, with which this one was taken.
  Search search(const Closure::Options &options, HandedExits exits = {}) const;
  /// Whether the main thread could hand over more. If a pragma starts pre-execution, there may be no
  /// thread yet to hand anything over to.
  bool canHandOverMore() const { return isComplete() && slice_.main && !slice_.launch; }

  /// False if time ran out: then the slice is empty.
  bool isComplete() const;
  const Slice &slice() const { return slice_; }
  const Program &program() const { return program_; }
  const Closure &closure() const { return *closure_; }
  const std::vector<Note> &notes() const { return notes_; }
  /// \p without hands nothing over after statements that open files; what only it keeps is spared.
  void compareWith(const Analysis &without);
  bool isSpared(NodeId node) const { return spared_.contains(node); }
  /// False if the pre-execution thread always ends before it reaches the call.
  bool isReached(const Call &call) const { return reached_[program_.groups[call.group].node]; }
  /// Why a call of MPI-IO is not in the slice.
  std::string whyLeftOut(const Call &call) const;

private:
  std::optional<Cost> costWith(Closure::Options options, HandedStatements &notHandedOver) const;
  void findOrder();
  Findings findings() const {
    return {program_, *pointsTo_, *effects_, control_, controlWithoutExits_};
  }
  Closure::Options completed(Closure::Options options) const;
  std::set<FunctionId> reachedFrom(FunctionId from) const;

  Overrides overrides_;
  Limits limits_;
  std::optional<Frame> frame_;
  Program program_;
  std::unique_ptr<PointsTo> pointsTo_;
  std::unique_ptr<Effects> effects_;
  ControlDependences control_, controlWithoutExits_;
  /// Functions that run in main's order, which the pre-execution thread can therefore call.
  std::set<FunctionId> inOrder_;
  std::map<FunctionId, std::string> runBy_; ///< of the others: the library function that calls them
  std::unique_ptr<const Closure> closure_;
  std::set<NodeId> spared_;
  std::vector<Note> notes_;
  Slice slice_;
  std::vector<bool> reached_; ///< by node
};

} // namespace forerun::slicer
