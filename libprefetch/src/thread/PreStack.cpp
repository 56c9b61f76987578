// SPDX-License-Identifier: Apache-2.0
#include "thread/PreStack.h"

#include "forerun/Addresses.h"

#include <algorithm>
#include <cstdint>
#include <sys/mman.h>
#include <sys/resource.h>

namespace forerun {
namespace {

constexpr std::size_t kGuardBytes = std::size_t{64} << 10;
constexpr std::size_t kHandlerBytes = std::size_t{64} << 10;
constexpr std::size_t kLeastBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
/// Where addresses are limited, the maximum share of those that are left.
constexpr std::uint64_t kShareOfAddresses = 8;

/// As much as the main thread may use, but no large part of limited addresses.
std::size_t stackBytes() {
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  const std::uint64_t wanted =
      std::min<std::uint64_t>(limit.rlim_cur, addressesLeft() / kShareOfAddresses);
  return std::clamp<std::size_t>(wanted, kLeastBytes, kMaxBytes) & ~(kGuardBytes - 1);
}

} // namespace

PreStack::PreStack() : bytes_(stackBytes()) {
  void *memory = mmap(nullptr, kHandlerBytes + kGuardBytes + bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  base_ = static_cast<std::byte *>(memory);
  mprotect(base_ + kHandlerBytes, kGuardBytes, PROT_NONE);
}

PreStack::~PreStack() {
  if (base_ != nullptr)
    munmap(base_, kHandlerBytes + kGuardBytes + bytes_);
}

std::span<std::byte> PreStack::stack() const {
  return {base_ + kHandlerBytes + kGuardBytes, bytes_};
}

std::span<std::byte> PreStack::handlers() const { return {base_, kHandlerBytes}; }

} // namespace forerun
