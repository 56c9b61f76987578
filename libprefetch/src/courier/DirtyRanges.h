// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"
#include "channels/Progress.h"
#include "channels/Withdrawals.h"
#include "forerun/Cache.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

/// \file
/// The dependence table of one file (after SC'08, section III-D): byte ranges that a write already
/// met by the pre-execution thread will change, each with the call identifier of that write.
///
/// Ranges do not overlap: the later write takes over the bytes, since a wait for it includes the
/// wait for the earlier one. Writes that the main thread has passed are forgotten gradually. Those of
/// calls by hand (HandDirt) have no identifier: they are removed.
/// Threads: one at a time; the courier, or whoever holds HandDirt's mutex.

namespace forerun {

class DirtyRanges {
public:
  /// \p order: the position of the write in program order. \p prediction: what it depends on.
  void add(std::uint64_t offset, std::uint64_t length, CallId write, Sequence order,
           std::uint32_t prediction = 0);
  void remove(std::uint64_t offset, std::uint64_t length); ///< these bytes are not dirty any more
  void withdraw(Withdrawals::Range wrong); ///< writes that depended on these will not be made

  /// The last write, in program order, to any of these bytes that \p progress has not passed yet.
  std::optional<CallId> lastPendingIn(std::uint64_t offset, std::uint64_t length,
                                      const Progress &progress);

  /// Whether any of these bytes is dirty by a write up to \p last in program order, whatever has been
  /// passed.
  bool has(std::uint64_t offset, std::uint64_t length, Sequence last);

  bool empty() const { return ranges_.empty(); }
  std::size_t size() const { return ranges_.size(); }
  void forgetPassed(const Progress &progress);
  void sweep(const Progress &progress); ///< forgets passed ranges once the number has doubled

private:
  struct Range {
    std::uint64_t end;
    CallId write;
    Sequence order;
    std::uint32_t prediction;
  };
  using Map = std::map<std::uint64_t, Range>; ///< by first byte

  Map::iterator firstOver(std::uint64_t offset);
  void cutOut(std::uint64_t offset, std::uint64_t end);

  Map ranges_;
  std::size_t rangesAtLastSweep_ = 0;
};

} // namespace forerun
