// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// \file
/// The memory of the pre-execution thread's stack: below it a guard page, and below that the stack
/// of its signal handlers. Threads: none of its own.

namespace forerun {

class PreStack {
public:
  PreStack(); ///< then `isThere` tells whether there was memory
  ~PreStack();
  PreStack(const PreStack &) = delete;
  PreStack &operator=(const PreStack &) = delete;

  bool isThere() const { return base_ != nullptr; }
  std::span<std::byte> stack() const;
  std::span<std::byte> handlers() const;

private:
  std::byte *base_ = nullptr;
  const std::size_t bytes_; ///< of the stack
};

} // namespace forerun
