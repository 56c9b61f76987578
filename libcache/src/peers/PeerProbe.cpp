// SPDX-License-Identifier: Apache-2.0
#include "peers/PeerProbe.h"

#include <algorithm>
#include <limits>

namespace forerun {

void PeerProbe::begin(std::uint64_t now) {
  if (step_ != 0)
    return;
  began_ = now;
  least_ = std::numeric_limits<std::uint64_t>::max();
  send(partner_, PeerMessage::Kind::Ping, 1, {});
  step_ = 1;
}

bool PeerProbe::receive(Rank from, const PeerMessage &message, std::uint64_t now) {
  if (message.kind == PeerMessage::Kind::Ping)
    send(from, PeerMessage::Kind::Pong, message.want,
         isLong(message.want) ? std::span(page_) : std::span<const std::byte>());
  else if (message.kind == PeerMessage::Kind::Pong && message.want == step_)
    answered(now);
  return message.kind == PeerMessage::Kind::Ping || message.kind == PeerMessage::Kind::Pong;
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
  send(partner_, PeerMessage::Kind::Ping, step_, {});
}

void PeerProbe::send(Rank to, PeerMessage::Kind kind, std::uint32_t step,
                     std::span<const std::byte> bytes) {
  const PeerMessage message{.kind = kind, .want = step};
  transport_.send(to, {&message, 1}, bytes);
}

} // namespace forerun
