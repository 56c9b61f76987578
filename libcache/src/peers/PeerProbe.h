// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PEERPROBE_H
#define FORERUN_PEERPROBE_H

#include "peers/PeerMessage.h"
#include "peers/PeerTransport.h"

#include <cstddef>
#include <cstdint>

/// \file
/// How long it takes to get a page from another node: the time of a hit there, an exchange of
/// messages and one that brings a page, measured with one other rank while nothing else is asked. A
/// hit that waits behind others would only show how much is asked for.
///
///     Ping --> Pong                                   opens the connection
///     Ping --> Pong, Ping --> Pong with a page        three times: the least counts, for the
///                                                     machine may be busy with something else
///
/// Threads: one.

namespace forerun {

class PeerProbe {
public:
  PeerProbe(PeerTransport &transport, Rank partner, std::size_t pageBytes)
      : transport_(transport), partner_(partner), pageBytes_(pageBytes) {}

  /// One at a time: one that has not ended is abandoned.
  void begin(std::uint64_t now);
  /// False: \p message does not belong to the probe.
  bool receive(Rank from, const PeerMessage &message, std::uint64_t now);
  /// Of the last probe that has ended; 0: none has.
  std::uint64_t tookNs() const { return tookNs_; }

private:
  static constexpr std::uint32_t kSteps = 7;
  /// After the first, which opens the connection, short and long ones alternate.
  static bool isLong(std::uint32_t step) { return step > 1 && step % 2 == 1; }
  void answered(std::uint64_t now);
  void ping();

  PeerTransport &transport_;
  const Rank partner_;
  const std::size_t pageBytes_;
  std::uint32_t probe_ = 0; ///< its number, which identifies a Pong for an older one
  std::uint32_t step_ = 0;  ///< whose Pong is awaited; 0: none
  std::uint64_t began_ = 0, least_ = 0, tookNs_ = 0;
};

} // namespace forerun

#endif
