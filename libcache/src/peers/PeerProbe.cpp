// SPDX-License-Identifier: Apache-2.0
#include "peers/PeerProbe.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace forerun {

void PeerProbe::begin(std::uint64_t now) {
  ++probe_;
  began_ = now;
  least_ = std::numeric_limits<std::uint64_t>::max();
  step_ = 1;
  ping();
}

bool PeerProbe::receive(Rank from, const PeerMessage &message, std::uint64_t now) {
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

void PeerProbe::answered(std::uint64_t now) {
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

void PeerProbe::ping() {
  const PeerMessage message{.kind = PeerMessage::Kind::Ping, .want = step_, .epoch = probe_};
  transport_.send(partner_, {&message, 1}, {});
}

} // namespace forerun
