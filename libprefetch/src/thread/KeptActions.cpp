// SPDX-License-Identifier: Apache-2.0
#include "thread/KeptActions.h"

#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

constexpr std::size_t kMaskBytes = sizeof(std::uint64_t); // as the system has it

} // namespace

KeptActions::KeptActions() {
  for (int signal = 1; signal <= kSignals; ++signal)
    syscall(SYS_rt_sigaction, signal, nullptr,
            actions_[static_cast<std::size_t>(signal)].bytes.data(), kMaskBytes);
}

/// SIGKILL and SIGSTOP have none, and refuse.
KeptActions::~KeptActions() {
  for (int signal = 1; signal <= kSignals; ++signal)
    syscall(SYS_rt_sigaction, signal, actions_[static_cast<std::size_t>(signal)].bytes.data(),
            nullptr, kMaskBytes);
}

} // namespace forerun
