// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"
#include "peers/PeerTransport.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <new>
#include <utility>

/// \file
/// Ranks that are threads of one process, each with a box for its packets.

namespace forerun {

class InProcessTransport final : public PeerTransport {
public:
  struct Packet {
    Rank from;
    std::vector<PeerMessage> messages;
    PeerBytes bytes;
  };
  struct Box {
    Mutex mutex;
    std::condition_variable changed;
    std::vector<Packet> packets FORERUN_GUARDED_BY(mutex);
    bool woken FORERUN_GUARDED_BY(mutex) = false;
    bool full = false; ///< there is no memory for packets to it; constant
  };
  using Boxes = std::vector<std::unique_ptr<Box>>;

  static std::shared_ptr<Boxes> boxes(Rank ranks) {
    auto all = std::make_shared<Boxes>();
    for (Rank rank = 0; rank < ranks; ++rank)
      all->push_back(std::make_unique<Box>());
    return all;
  }
  InProcessTransport(std::shared_ptr<Boxes> boxes, Rank self)
      : boxes_(std::move(boxes)), self_(self) {}

  const std::string &address() const override { return address_; }
  void setAddresses(std::vector<std::string> /*addresses*/) override {}
  bool reaches(Rank /*other*/) override { return true; }
  void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) override {
    Box &box = *boxes_->at(to);
    if (box.full)
      throw std::bad_alloc();
    const MutexLock lock(box.mutex);
    box.packets.push_back({self_, {messages.begin(), messages.end()}, std::move(bytes)});
    box.changed.notify_all();
  }
  void wait(std::chrono::nanoseconds longest, const Receive &receive) override {
    Box &box = *boxes_->at(self_);
    std::vector<Packet> come;
    {
      MutexLock lock(box.mutex);
      if (box.packets.empty() && !box.woken)
        lock.wait(box.changed, std::min(std::chrono::ceil<std::chrono::milliseconds>(longest),
                                        std::chrono::milliseconds(10'000)));
      box.woken = false;
      come.swap(box.packets);
    }
    for (const Packet &packet : come)
      receive(packet.from, packet.messages, packet.bytes.span());
  }
  void wake() override {
    Box &box = *boxes_->at(self_);
    const MutexLock lock(box.mutex);
    box.woken = true;
    box.changed.notify_all();
  }

private:
  const std::shared_ptr<Boxes> boxes_;
  const Rank self_;
  const std::string address_;
};

} // namespace forerun
