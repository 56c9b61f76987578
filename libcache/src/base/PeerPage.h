// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PEERPAGE_H
#define FORERUN_PEERPAGE_H

#include <cstddef>
#include <cstdint>
#include <functional>

/// \file
/// The name of a page of a file between nodes.

namespace forerun {

using Rank = std::uint32_t;

/// A page of a file that several nodes have opened together.
struct PeerPage {
  std::uint64_t index = 0;
  std::uint64_t file =
      0; ///< as agreed on when it was opened, and only for that opening; 0: shared with nobody

  bool operator==(const PeerPage &) const = default;
};

struct PeerPageHash {
  std::size_t operator()(const PeerPage &page) const {
    return std::hash<std::uint64_t>()((page.index * 0x9e3779b97f4a7c15) ^ page.file);
  }
};

} // namespace forerun

#endif
