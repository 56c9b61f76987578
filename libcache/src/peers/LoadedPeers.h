// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Peers.h"
#include "peers/PeerEngine.h"

/// \file
/// The name of the module that talks to other nodes, and how it is asked. It is loaded only where
/// it is needed: programs on one node have nothing of UCX in them.

namespace forerun {

/// In the folder of the library that this is part of.
inline constexpr const char *kUcxModule = "libforerun_ucx.so";
/// Exported by it: a `MakeTransport`.
inline constexpr const char *kMakeTransport = "forerun_make_transport";
/// Null: it has no network.
using MakeTransport = PeerTransport *(Rank self);

class LoadedPeers final : public Peers {
public:
  LoadedPeers(Rank self, std::unique_ptr<PeerTransport> transport)
      : peers_{std::move(transport), self, 1, self} {}
  const std::string &address() const override { return peers_.transport->address(); }
  void meet(std::vector<std::string> addresses, Rank partner) override {
    peers_.ranks = static_cast<Rank>(addresses.size());
    peers_.partner = partner;
    peers_.transport->setAddresses(std::move(addresses));
  }
  bool reachesPartner() override { return peers_.transport->reaches(peers_.partner); }
  PeerEngine::Peers peers() const { return peers_; }

private:
  PeerEngine::Peers peers_;
};

} // namespace forerun
