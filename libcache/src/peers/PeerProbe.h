// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peers/PeerMessage.h"
#include "peers/PeerTransport.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

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
  void begin(std::uint64_t now) {
    ++probe_;
    began_ = now;
    least_ = std::numeric_limits<std::uint64_t>::max();
    step_ = 1;
    ping();
  }
  /// False: \p message does not belong to the probe.
  bool receive(Rank from, const PeerMessage &message, std::uint64_t now) {
    if (message.kind == PeerMessage::Kind::Ping) {
      PeerMessage pong = message;
      pong.kind = PeerMessage::Kind::Pong;
      PeerBytes page;
      if (isLong(message.want)) {
        page = PeerBytes(pageBytes_);
        std::memset(page.data(), 0, pageBytes_);
      }
      transport_.send(from, {&pong, 1}, std::move(page));
      return true;
    }
    if (message.kind != PeerMessage::Kind::Pong)
      return false;
    if (message.epoch == probe_ && message.want == step_)
      answered(now);
    return true;
  }
  /// Of the last probe that has ended; 0: none has.
  std::uint64_t tookNs() const { return tookNs_; }

private:
  static constexpr std::uint32_t kSteps = 7;
  /// After the first, which opens the connection, short and long ones alternate.
  static bool isLong(std::uint32_t step) { return step > 1 && step % 2 == 1; }
  void answered(std::uint64_t now) {
    if (isLong(step_))
      least_ = std::min(least_, now - began_);
    if (step_ == kSteps) {
      tookNs_ = least_;
      step_ = 0;
      return;
    }
    if (!isLong(++step_))
      began_ = now;
    ping();
  }
  void ping() {
    const PeerMessage message{.kind = PeerMessage::Kind::Ping, .want = step_, .epoch = probe_};
    transport_.send(partner_, {&message, 1}, {});
  }

  PeerTransport &transport_;
  const Rank partner_;
  const std::size_t pageBytes_;
  std::uint32_t probe_ = 0; ///< its number, which identifies a Pong for an older one
  std::uint32_t step_ = 0;  ///< whose Pong is awaited; 0: none
  std::uint64_t began_ = 0, least_ = 0, tookNs_ = 0;
};

} // namespace forerun
