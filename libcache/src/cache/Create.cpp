// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"

namespace forerun {

std::unique_ptr<Cache> Cache::create(const CacheConfig &config, forerun_rc &rc) {
  return PageCache::create(config, FetchEngine::create, rc);
}

} // namespace forerun
