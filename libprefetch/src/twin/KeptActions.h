// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <functional>

/// \file
/// The signal actions as the system has them, whoever is interposed before sigaction: for a library
/// that sets handlers when it is loaded, as UCX does, and must not keep them.
/// Threads: any. An action that another thread sets in between, for a restored signal, is lost.

namespace forerun {

class KeptActions {
public:
  KeptActions(); ///< keeps the current actions
  /// Restores the action of each signal whose handler is theirs now.
  void putBack(const std::function<bool(const void *handler)> &isTheirs) const;

private:
  /// The system's struct sigaction, which is not libc's. It begins with the handler.
  struct alignas(std::max_align_t) Action {
    std::array<std::byte, 64> bytes{};
    const void *handler() const;
  };
  static constexpr int kSignals = 64; ///< numbered from 1
  std::array<Action, kSignals> actions_;
};

} // namespace forerun
