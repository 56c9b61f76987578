// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchEngine.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace forerun {

/// A real engine that reports itself as slow, so that others are always asked first.
inline std::unique_ptr<FetchEngine> slowStorage(const CacheConfig &config, Completed completed,
                                                forerun_rc &rc) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return FetchEngine::create(
      config,
      [completed = std::move(completed)](FetchRequest &request) {
        request.finishedNs += kSecond;
        completed(request);
      },
      rc);
}

} // namespace forerun
