// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pool/NodePool.h"

#include <cstring>
#include <memory>

/// \file
/// A pool of three members, which are threads of one process here.

namespace forerun {

struct PoolOfThree {
  static constexpr std::size_t kFramesEach = 16;
  static constexpr std::size_t kPageBytes = std::size_t{64} << 10;

  std::unique_ptr<NodePool> first = NodePool::create({3, kFramesEach, kPageBytes});
  std::unique_ptr<NodePool> second = first->join(1), third = first->join(2);

  static PageKey page(std::uint64_t index) {
    return FileKey({1, 2, "test"}, "/some/file").page(index, 0);
  }
  /// A frame of \p pool holds the page, filled with \p byte; \p open of it may be read.
  static Slot show(NodePool &pool, const PageKey &key, std::uint64_t since, Sectors open,
                   char byte) {
    const Slot slot = pool.take().value_or(0);
    std::memset(pool.frame(slot), byte, pool.shape().pageBytes);
    pool.publish(slot, key, since);
    pool.state(slot).open = open;
    return slot;
  }
};

} // namespace forerun
