// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EARLYEXITS_H
#define FORERUN_SLICER_EARLYEXITS_H

#include "slice/Needs.h"

namespace forerun::slicer {

/// An early exit that was left out, so that what it depends on need not be computed.
struct Cut {
  NodeId node = kNone;
  const char *why = "";
};

/// The early exits of loops and of the program. An exit belongs to the slice if what decides it
/// adds little cost: each is tried, and taken back if it costs more than it is worth.
class EarlyExits {
public:
  EarlyExits(const ClosureInput &input, Kept &kept, Needs &needs)
      : input_(input), program_(input.program), kept_(kept), needs_(needs) {}

  /// True if one has been added.
  bool tryAll();
  const std::vector<Cut> &cuts() const { return cuts_; }

private:
  bool tryOne(NodeId exit);
  bool tryThoseBefore(NodeId exit);
  const char *whyNot(const Cost &before, NodeId exit) const;
  bool hasNoOtherEnd(NodeId exit) const;

  const ClosureInput &input_;
  const Program &program_;
  Kept &kept_;
  Needs &needs_;
  std::set<NodeId> decided_;
  std::vector<Cut> cuts_;
};

} // namespace forerun::slicer

#endif
