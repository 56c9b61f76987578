// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/Closure.h"
#include "slice/needs/Needs.h"

namespace forerun::slicer {

/// Whether a read is announced after the exit, here or in a caller.
bool isReadAfter(const ClosureInput &input, NodeId exit);

/// The early exits of loops and of the program. An exit belongs to the slice if what decides it
/// adds little cost: each is tried, and taken back if it costs more than it is worth. It may cost more
/// if it ends a loop in which nothing is announced: then it is no end of announcements, but decides what
/// is announced next. It always belongs to the slice if a value that is needed after it depends on it.
class EarlyExits : Grower {
public:
  EarlyExits(const ClosureInput &input, Kept &kept, Needs &needs);

  /// True if one has been added.
  bool tryAll();
  const std::vector<Cut> &cuts() const { return cuts_; }

private:
  bool tryOne(NodeId exit);
  bool tryThoseBefore(NodeId exit);
  const char *whyNot(const Cost &before, const std::set<CallId> &fetchesBefore, NodeId exit) const;
  std::size_t handedWith(NodeId exit) const;
  std::vector<NodeId> loopsLeft(NodeId exit) const;
  bool isMadeInLeft(NodeId exit, CallId call) const;
  bool endsAnnouncements(NodeId exit) const;
  bool endsOpens(NodeId exit) const;
  bool decidesLaterValue(NodeId exit) const;
  bool isNeededAfter(NodeId exit, const Range &range) const;
  bool needs(NodeId node, const Range &range) const;
  bool hasNoOtherEnd(NodeId exit) const;

  std::vector<std::vector<GroupId>> groupsOf_; ///< by node
  std::vector<CallId> opens_;
  std::set<NodeId> decided_;
  std::vector<Cut> cuts_;
};

} // namespace forerun::slicer
