// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_NEEDS_H
#define FORERUN_SLICER_NEEDS_H

#include "slice/CallNeeds.h"
#include "slice/DataNeeds.h"
#include "slice/Ways.h"

namespace forerun::slicer {

/// What follows from a need: for a group of a statement here, for a call in CallNeeds, for memory
/// in DataNeeds, for a value that is handed over in Ways. Everything that is needed goes
/// into `kept`; groups wait until close() asks for what they need in turn.
class Needs {
public:
  Needs(const ClosureInput &input, Kept &kept);

  CallNeeds calls;
  DataNeeds data;
  Ways ways;

  void needGroup(GroupId group, Reason reason);
  /// The group and, if its value is a structure, these bits of it.
  void needBits(GroupId group, Bits bits, Reason reason);
  /// The statement runs, at least in part; so do the statements that enclose it or control it.
  void keepNode(NodeId node, GroupId by);

  /// What \p given has of \p from runs in \p to, too: the same function, or another one that is lowered from it. True if
  /// something was missing.
  bool giveTo(const Function &to, const Kept &given, const Function &from);

  /// Runs until everything that is needed is kept.
  void close();

  /// A step. Whether there are no more: then what is kept must not be used.
  bool isOver();
  bool isComplete() const { return isComplete_; }

private:
  void deferExits(NodeId node);
  void needWhatGroupNeeds(GroupId group);
  void needWhatCopyNeeds(GroupId group, Bits bits);
  bool joinNestedCalls();
  bool joinCopies();

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  bool isComplete_ = true;
  std::vector<GroupId> open_;
  std::vector<std::pair<GroupId, Bits>> openCopies_;
};

} // namespace forerun::slicer

#endif
