// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/CallsByNode.h"
#include "analysis/Effects.h"

#include <set>

namespace forerun::slicer {

/// Finds the calls of open that the handle of a call may come from. Points-to alone does not
/// distinguish the files that one variable holds one after another; this does.
class Files {
public:
  Files(const Program &program, const PointsTo &pointsTo, const Effects &effects,
        Budget budget = {});

  /// Objects of Kind::File; empty if nothing is known.
  std::set<ObjectId> of(CallId call) const;
  /// Whether a read of one of these files may run after the call.
  bool isReadAfter(CallId call, const std::set<ObjectId> &files) const;

private:
  struct Search {
    std::set<std::pair<NodeId, Range>> seen;
    std::vector<std::pair<NodeId, Range>> open;
    std::set<ObjectId> found;
    bool isKnown = true;
  };

  void follow(Search &search, NodeId node, const Place &place) const;
  bool visit(Search &search, NodeId node, const Range &range) const;
  void leave(Search &search, FunctionId function, const Range &range) const;
  const Place *handleOf(CallId call) const;
  const Place *valueOf(CallId call, int argument) const;
  void findReads();

  const Program &program_;
  const PointsTo &pointsTo_;
  const Effects &effects_;
  const Budget budget_;
  const CallsByNode callsOf_;
  std::map<FunctionId, std::set<ObjectId>> readIn_; ///< including all that it calls
  std::map<NodeId, std::set<ObjectId>> readAt_;
};

} // namespace forerun::slicer
