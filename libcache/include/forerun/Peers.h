// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// How a cache reaches the caches of the job's other processes, on any node. Each process loads
/// this, gives its address to all, gets the addresses of all, and makes its cache with it.
///
/// Invariant: an address that others have been given stays as long as the process. If an end that
/// somebody is connecting to disappears, UCX (1.13) ends him (`wireup_ep->pending_count == 0`).
///
/// Threads: one.

namespace forerun {

class Peers {
public:
  /// As number \p self among them. Null, with \p whyNone set: there is no UCX, or no network.
  static std::unique_ptr<Peers> load(std::uint32_t self, std::string &whyNone);
  virtual ~Peers() = default;

  virtual const std::string &address() const = 0;
  /// The addresses of all, by number. Others' speed is measured with \p partner, on another node.
  virtual void meet(std::vector<std::string> addresses, std::uint32_t partner) = 0;
  /// Afterwards: whether the partner can be reached.
  virtual bool reachesPartner() = 0;
};

} // namespace forerun
