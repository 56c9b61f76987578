// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_KEPTACTIONS_H
#define FORERUN_KEPTACTIONS_H

#include <array>
#include <csignal>
#include <cstddef>

/// \file
/// While one lives, what becomes of signals may be changed by others (a library that sets handlers when
/// it is loaded); at its end the actions are again what they were at its beginning, as the system
/// has them: whoever set them, and whoever stands in front of sigaction.
/// Threads: any; what another thread sets meanwhile is lost.

namespace forerun {

class KeptActions {
public:
  KeptActions();
  ~KeptActions();
  KeptActions(const KeptActions &) = delete;
  KeptActions &operator=(const KeptActions &) = delete;

private:
  /// The system's struct sigaction, which is not libc's; it is only handed back.
  struct alignas(std::max_align_t) Action {
    std::array<std::byte, 64> bytes{};
  };
  static constexpr int kSignals = 64; ///< numbered from 1
  std::array<Action, kSignals + 1> actions_;
};

} // namespace forerun

#endif
