// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

/// \file
/// Texts that are never freed, each stored once, for pointers given to a thread without locks.
/// Bounded: beyond kMaxBytes new ones are not kept. Threads: any but the pre-execution thread.

namespace forerun {

class KeptTexts {
public:
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

  const char *keep(std::string_view text); ///< null: not kept, or no memory

private:
  Mutex mutex_;
  std::set<std::string, std::less<>> texts_ FORERUN_GUARDED_BY(mutex_);
  std::size_t bytes_ FORERUN_GUARDED_BY(mutex_) = 0;
};

} // namespace forerun
