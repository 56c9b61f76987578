// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PEERS_H
#define FORERUN_PEERS_H

#include "forerun/Cache.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// How a cache reaches the caches of the job's other processes, on whatever node. Each process loads
/// it, gives its address to all, is given those of all, and makes its cache with it.
///
/// Invariant: whose address others have been given stays as long as the process. Where an end that somebody
/// is just connecting to goes away, UCX (1.13) ends him (`wireup_ep->pending_count == 0`).
///
/// Threads: one.

namespace forerun {

class Peers {
public:
  /// As number \p self among them. Null, with \p whyNone in words: there is no UCX, or no network.
  static std::unique_ptr<Peers> load(std::uint32_t self, std::string &whyNone);
  virtual ~Peers() = default;

  virtual const std::string &address() const = 0;
  /// The addresses of all, by number; with \p partner, on another node, is measured what others take.
  virtual void meet(std::vector<std::string> addresses, std::uint32_t partner) = 0;
  /// Then: whether there is a way to the partner.
  virtual bool reachesPartner() = 0;
};

} // namespace forerun

#endif
