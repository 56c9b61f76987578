// SPDX-License-Identifier: Apache-2.0
#include "measure/CheckLog.h"

#include "forerun/Clock.h"

#include <sys/mman.h>

namespace forerun {
namespace {

constexpr std::size_t kBytes = CheckLog::kMax * sizeof(CheckLog::Range);

} // namespace

CheckLog::CheckLog() {
  // Reserves addresses only: pages are allocated as they are touched.
  void *memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED)
    ranges_ = static_cast<Range *>(memory);
}

CheckLog::~CheckLog() {
  if (ranges_ != nullptr)
    munmap(ranges_, kBytes);
}

void CheckLog::append(const Range &range) {
  const std::size_t size = size_.load(std::memory_order_relaxed);
  if (ranges_ == nullptr || size == kMax)
    return;
  ranges_[size] = range;
  ranges_[size].microseconds = nowNs() / 1000;
  size_.store(size + 1, std::memory_order_release);
}

} // namespace forerun
