// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_NEEDS_H
#define FORERUN_SLICER_NEEDS_H

#include "slice/CallNeeds.h"
#include "slice/DataNeeds.h"
#include "slice/Ways.h"

namespace forerun::slicer {

/// What follows from a need: of a group of a statement here, of a call in CallNeeds, of memory in
/// DataNeeds, of a value that the main thread hands over in Ways. Everything that is needed goes into `kept`; groups wait until close() asks for what
/// they need themselves.
class Needs {
public:
  Needs(const ClosureInput &input, Kept &kept);

  CallNeeds calls;
  DataNeeds data;
  Ways ways;

  void needGroup(GroupId group, Reason reason);
  /// The group, and these bits of the structure that its value is, if it is one.
  void needBits(GroupId group, Bits bits, Reason reason);
  /// The statement runs, at least in part: so does what stands around it and decides on it.
  void keepNode(NodeId node, GroupId by);

  /// Until nothing is needed that is not kept.
  void close();

  /// Whether the time for it is over: then what is kept is not to be used.
  bool isOver();
  bool isComplete() const { return isComplete_; }

private:
  void needWhatGroupNeeds(GroupId group);
  void needWhatCopyNeeds(GroupId group, Bits bits);
  bool joinNestedCalls();

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  bool isComplete_ = true;
  unsigned asked_ = 0; ///< how often isOver()
  std::vector<GroupId> open_;
  std::vector<std::pair<GroupId, Bits>> openCopies_;
};

} // namespace forerun::slicer

#endif
