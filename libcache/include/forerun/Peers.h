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
/// Threads: one.

namespace forerun {

class Peers {
public:
  /// As number \p self among them. Null, with \p whyNone in words: there is no UCX, or no network.
  static std::unique_ptr<Peers> load(std::uint32_t self, std::string &whyNone);
  virtual ~Peers() = default;

  virtual const std::string &address() const = 0;
  /// The addresses of all, by number.
  virtual void meet(std::vector<std::string> addresses) = 0;
  /// Then: whether there is a way to one of them, half of all away, which is mostly on another node.
  virtual bool reachesOthers() = 0;
};

} // namespace forerun

#endif
