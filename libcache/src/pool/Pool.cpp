// SPDX-License-Identifier: Apache-2.0
#include "forerun/Pool.h"

#include "pool/NodePool.h"

namespace forerun {
namespace {

NodePool::Shape shapeOf(const CacheConfig &config, unsigned members) {
  return {members, config.capacityBytes / config.pageBytes, config.pageBytes};
}

} // namespace

std::unique_ptr<Pool> Pool::create(const CacheConfig &config, unsigned members) {
  return NodePool::create(shapeOf(config, members));
}

std::unique_ptr<Pool> Pool::join(pid_t creator, int fd, const CacheConfig &config, unsigned members,
                                 unsigned member) {
  return NodePool::join(creator, fd, shapeOf(config, members), member);
}

} // namespace forerun
