// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_WAYS_H
#define FORERUN_SLICER_WAYS_H

#include "slice/ClosureInput.h"
#include "slice/Kept.h"

namespace forerun::slicer {

class Needs;

/// Keeps the paths to what the main thread hands over. Values are counted: the k-th value that the
/// pre-execution thread receives at a site is the k-th that the main thread has handed over there.
/// So both threads have to reach the site equally often: every call that leads there belongs to
/// the slice, with the conditions that control it, also where nothing needs the value; so does an
/// early exit after which the program may reach the site again. A part of Needs.
class Ways {
public:
  Ways(const ClosureInput &input, Kept &kept, Needs &needs)
      : input_(input), program_(input.program), kept_(kept), needs_(needs) {}

  /// Makes the node execute as often as in the program.
  void keepAllTo(NodeId node, GroupId by);

private:
  void keepExits(NodeId node, GroupId by);
  bool comesBack(NodeId exit, NodeId to) const;
  bool leadsTo(NodeId node, const std::set<FunctionId> &functions, CallId except = kNone) const;
  std::set<FunctionId> functionsLeadingTo(FunctionId function) const;

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
};

} // namespace forerun::slicer

#endif
