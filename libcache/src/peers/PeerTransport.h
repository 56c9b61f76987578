// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peers/PeerMessage.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// \file
/// Carries messages between the caches of a job. Packets arrive once, and in order from one rank to
/// another, or not at all if the other has ended.
///
/// Threads: one, except for `wake`.

namespace forerun {

class PeerTransport {
public:
  using Receive = std::function<void(Rank from, std::span<const PeerMessage> messages,
                                     std::span<const std::byte> bytes)>;
  virtual ~PeerTransport() = default;

  /// What others need to reach this one.
  virtual const std::string &address() const = 0;
  /// The addresses of all, by rank. Nobody is contacted before something is sent to it.
  virtual void setAddresses(std::vector<std::string> addresses) = 0;

  /// Whether there is a way to it; does not tell whether it is still there.
  virtual bool reaches(Rank other) = 0;
  /// \p messages belong to the caller again on return; does not wait for the receiver.
  virtual void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) = 0;
  /// Sleeps until something has come, it has been woken, or for \p longest; then passes on what has
  /// come.
  virtual void wait(std::chrono::nanoseconds longest, const Receive &receive) = 0;
  /// Ends this or the next `wait`. From any thread.
  virtual void wake() = 0;
};

} // namespace forerun
