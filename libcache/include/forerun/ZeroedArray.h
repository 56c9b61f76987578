// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <type_traits>

/// \file
/// An array of zeros whose memory the kernel provides as it is touched: a table for everything that
/// a cache may hold costs only what it does hold. Nothing is constructed or destroyed in it.
/// Threads: none of its own.

// For a program's own LeakSanitizer: it finds pointers only in memory it knows. NOLINTBEGIN
extern "C" {
[[gnu::weak]] void __lsan_register_root_region(const void *from, std::size_t bytes);
[[gnu::weak]] void __lsan_unregister_root_region(const void *from, std::size_t bytes);
}
// NOLINTEND

namespace forerun {

template <typename T> class ZeroedArray {
public:
  static_assert(std::is_trivially_destructible_v<T>);

  /// Throws std::bad_alloc if not even the addresses are available.
  explicit ZeroedArray(std::size_t count) : count_(std::max<std::size_t>(count, 1)) {
    void *memory = mmap(nullptr, count_ * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    elements_ = static_cast<T *>(memory);
    if (__lsan_register_root_region != nullptr)
      __lsan_register_root_region(elements_, count_ * sizeof(T));
  }
  ~ZeroedArray() {
    if (__lsan_unregister_root_region != nullptr)
      __lsan_unregister_root_region(elements_, count_ * sizeof(T));
    munmap(elements_, count_ * sizeof(T));
  }
  ZeroedArray(const ZeroedArray &) = delete;
  ZeroedArray &operator=(const ZeroedArray &) = delete;

  std::size_t size() const { return count_; }
  T &operator[](std::size_t index) { return elements_[index]; }
  const T &operator[](std::size_t index) const { return elements_[index]; }

private:
  std::size_t count_;
  T *elements_;
};

} // namespace forerun
