// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/choices/CostModel.h"
#include "slice/needs/Needs.h"

namespace forerun::slicer {

/// Communication in the slice, and questions about communicators. The main thread forwards what other processes send, but only once it
/// has received it; inside a loop that reads, that leaves no room to run ahead. There the
/// pre-execution threads communicate among themselves, if what they have to send adds little cost.
/// It is then in the slice as well, also at the calls that may be the partners of this one. Each
/// exchange is tried, and taken back if it costs more than it is worth. What a communicator is
/// (Exchange::Local) is known there without any other process.
class Exchanges : Grower {
public:
  Exchanges(const ClosureInput &input, Kept &kept, Needs &needs)
      : Grower(input, kept, needs), costs_(input) {}

  /// True if something has been added.
  bool tryAll();

private:
  bool tryOne(CallId call);
  void exchangeAllFor(CallId call);
  void exchange(CallId call);
  bool canBeExchanged(CallId call);
  bool isExchanged(CallId call) const { return kept_.exchanged().contains(call); }

  const CostModel costs_;
  std::set<CallId> decided_;
};

} // namespace forerun::slicer
