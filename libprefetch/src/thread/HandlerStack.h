// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstddef>
#include <span>

/// \file
/// Where the calling thread handles signals: on \p memory while one of these lives, and where it did
/// before afterwards. (A thread must end with the alternate stack it began with: AddressSanitizer
/// unmaps the one that is set then, taking it for its own.)

namespace forerun {

class HandlerStack {
public:
  explicit HandlerStack(std::span<std::byte> memory) {
    const stack_t ours{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
    sigaltstack(&ours, &before_);
  }
  ~HandlerStack() { sigaltstack(&before_, nullptr); }
  HandlerStack(const HandlerStack &) = delete;
  HandlerStack &operator=(const HandlerStack &) = delete;

private:
  stack_t before_{};
};

} // namespace forerun
