// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"
#include "channels/Progress.h"
#include "channels/Withdrawals.h"
#include "forerun/Cache.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>

/// \file
/// The window of calls that have been announced and that the main thread has not passed yet, in
/// program order. The leash bounds it in calls and in bytes.
///
/// Invariants
///  - Sequences are assigned without gaps, so that an entry is found by its distance from the
///    front.
///  - Neither bound of the leash is ever exceeded: `enter` and `charge` require that there is room.
///  - When the main thread has passed a call, it has passed all before it: calls in between that it
///    never made (a wrong prediction) leave the window with it.
/// Threads: only the courier.

namespace forerun {

class Window {
public:
  struct Entry {
    CallId call;
    std::uint32_t prediction = 0; ///< that it depends on
    std::uint64_t charged = 0;    ///< bytes that count against the leash
    std::uint64_t told = 0;       ///< of those, what the cache was told
  };
  struct Retired {
    Sequence upTo = 0; ///< 0: nothing
    std::uint64_t calls = 0;
    std::uint64_t announcedCalls = 0, announcedBytes = 0;
  };

  void setLeash(std::uint64_t calls, std::uint64_t bytes);
  std::uint64_t leashBytes() const { return leashBytes_; }

  bool hasRoomForCall() const { return entries_.size() < leashCalls_; }
  std::uint64_t roomBytes() const { return bytes_ < leashBytes_ ? leashBytes_ - bytes_ : 0; }

  /// Requires hasRoomForCall.
  Sequence enter(CallId call, std::uint32_t prediction = 0);
  /// At most roomBytes; nothing happens if the entry has left.
  void charge(Sequence sequence, std::uint64_t bytes);
  void noteTold(Sequence sequence, std::uint64_t bytes);

  bool contains(Sequence sequence) const;
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry &front() const { return entries_.front(); }
  Sequence firstSequence() const { return first_; }
  Sequence lastSequence() const { return first_ + entries_.size() - 1; }
  /// Whether every entry except \p sequence has left.
  bool holdsOnly(Sequence sequence) const;

  /// Takes out everything up to the last call that \p progress has passed.
  Retired retirePassed(const Progress &progress);
  /// What depends on one of these no longer counts, and leaves with the entries before it. \p gone
  /// is called for each.
  using Gone = std::function<void(Sequence sequence)>;
  void withdraw(Withdrawals::Range predictions, const Gone &gone);
  Retired retireFront() { return retire(1); }
  Retired retireAll() { return retire(entries_.size()); }

private:
  static constexpr std::uint32_t kWithdrawn = std::numeric_limits<std::uint32_t>::max();
  Retired retire(std::size_t calls);

  std::deque<Entry> entries_;
  Sequence first_ = 1; ///< of the front
  std::uint64_t bytes_ = 0;
  std::uint64_t leashCalls_ = 1, leashBytes_ = 1;
};

} // namespace forerun
