// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_POOL_H
#define FORERUN_POOL_H

#include "forerun/Cache.h"

#include <cstddef>
#include <memory>
#include <sys/types.h>

/// \file
/// The memory that the caches of a node's processes share. Each process is a member, makes its cache
/// with it, and brings as much as that cache's capacity. Members are numbered from 0; all have caches
/// of the same capacity and page size, of at most 256 KiB. Nothing of it is left when the processes end.
///
/// Threads: any.

namespace forerun {

class Pool {
public:
  static constexpr std::size_t kLargestPageBytes = std::size_t{256} << 10;

  /// Makes the caller member 0 of \p members. Null: no memory, or such pages are not pooled.
  static std::unique_ptr<Pool> create(const CacheConfig &config, unsigned members);
  /// As number \p member of what process \p creator has made and knows as descriptor \p fd. Null: it
  /// is not that, another user's, or has that member already.
  static std::unique_ptr<Pool> join(pid_t creator, int fd, const CacheConfig &config,
                                    unsigned members, unsigned member);
  virtual ~Pool() = default;

  virtual int fd() const = 0; ///< by which others join
};

} // namespace forerun

#endif
