// SPDX-License-Identifier: Apache-2.0
#include "twin/KeptActions.h"

#include <cstdint>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

/// The system call itself. The actions of SIGKILL and SIGSTOP cannot be set.
void exchangeAction(int signal, const std::byte *action, std::byte *before) {
  constexpr std::size_t kMaskBytes = sizeof(std::uint64_t); // as the system has it
  syscall(SYS_rt_sigaction, signal, action, before, kMaskBytes);
}

} // namespace

const void *KeptActions::Action::handler() const {
  const void *handler = nullptr;
  std::memcpy(static_cast<void *>(&handler), bytes.data(), sizeof handler);
  return handler;
}

KeptActions::KeptActions() {
  for (std::size_t i = 0; i < actions_.size(); ++i)
    exchangeAction(static_cast<int>(i) + 1, nullptr, actions_[i].bytes.data());
}

void KeptActions::putBack(const std::function<bool(const void *)> &isTheirs) const {
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const int signal = static_cast<int>(i) + 1;
    Action now;
    exchangeAction(signal, nullptr, now.bytes.data());
    if (now.handler() != actions_[i].handler() && isTheirs(now.handler()))
      exchangeAction(signal, actions_[i].bytes.data(), nullptr);
  }
}

} // namespace forerun
