// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <cstring>

namespace forerun {

/// Whether valgrind runs the process, by the libraries that it preloads. It runs one thread at a
/// time, even while that waits in io_uring_enter, and supports only one link namespace. Any thread.
inline bool isInValgrind() {
  const char *const preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::strstr(preloaded, "/vgpreload_") != nullptr;
}

} // namespace forerun
