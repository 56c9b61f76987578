// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <cstddef>
#include <memory>
#include <sys/types.h>

/// \file
/// The memory that the caches of a node's processes share. Each process is a member, makes its
/// cache with it, and contributes that cache's capacity. Members are numbered from 0; all caches
/// have the same capacity and page size, at most 256 KiB. It vanishes when the processes end.
///
/// Threads: any.

namespace forerun {

class Pool {
public:
  static constexpr std::size_t kLargestPageBytes = std::size_t{256} << 10;

  /// Makes the caller member 0 of \p members. Null: no memory, or such pages cannot be pooled.
  static std::unique_ptr<Pool> create(const CacheConfig &config, unsigned members);
  /// As number \p member of the pool that process \p creator has made and has as descriptor \p fd.
  /// Null: it is not that pool, or another user's, or has that member already.
  static std::unique_ptr<Pool> join(pid_t creator, int fd, const CacheConfig &config,
                                    unsigned members, unsigned member);
  virtual ~Pool() = default;

  virtual int fd() const = 0; ///< by which others join
};

} // namespace forerun
