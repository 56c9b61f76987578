// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PEERPROBE_H
#define FORERUN_PEERPROBE_H

#include "peers/PeerMessage.h"
#include "peers/PeerTransport.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// How long it takes to get a page from another node: what a hit there takes, an exchange of
/// messages and one that brings a page, measured with one other rank while nothing else is asked.
/// A hit that waits behind others would only tell how much is asked for.
///
///     Ping --> Pong                                   opens the connection
///     Ping --> Pong, Ping --> Pong with a page        three times: the least counts, for the
///                                                     machine may be busy with something else
///
/// Threads: one.

namespace forerun {

class PeerProbe {
public:
  /// Half of the ranks away, for neighbours are often on one node.
  static Rank partnerOf(Rank self, Rank ranks) { return (self + ranks / 2) % ranks; }

  PeerProbe(PeerTransport &transport, Rank self, Rank ranks, std::size_t pageBytes)
      : transport_(transport), partner_(partnerOf(self, ranks)), page_(pageBytes) {}

  /// One at a time: nothing while the last one has not ended.
  void begin(std::uint64_t now);
  /// False: \p message is not the probe's.
  bool receive(Rank from, const PeerMessage &message, std::uint64_t now);
  /// Of the last probe that has ended; 0: none has.
  std::uint64_t tookNs() const { return tookNs_; }

private:
  static constexpr std::uint32_t kSteps = 7;
  /// From the first on, which opens the connection, short ones and long ones take turns.
  static bool isLong(std::uint32_t step) { return step > 1 && step % 2 == 1; }
  void answered(std::uint64_t now);
  void send(Rank to, PeerMessage::Kind kind, std::uint32_t step, std::span<const std::byte> bytes);

  PeerTransport &transport_;
  const Rank partner_;
  const std::vector<std::byte> page_;
  std::uint32_t step_ = 0; ///< whose Pong is awaited; 0: none
  std::uint64_t began_ = 0, least_ = 0, tookNs_ = 0;
};

} // namespace forerun

#endif
