// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_ARENA_H
#define FORERUN_ARENA_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// The memory of the pre-execution thread: malloc's functions without a lock.
///
/// One reserved range of addresses, cut from its beginning into blocks of size classes (four to a
/// doubling); a free list for each class. The pages of a large block go back to the system when it
/// is freed. Everything is freed at once with the arena, so that the thread may be ended in the
/// middle of any function. Used by one thread at a time.
///
/// A slice gone wrong may write past the end of its blocks, over headers and free lists. So these are
/// not believed: what they lead to is used only if it lies in the arena.

namespace forerun {

class Arena {
public:
  static constexpr std::size_t kReserveBytes = std::size_t{64} << 30;

  explicit Arena(std::size_t reserveBytes = kReserveBytes); ///< takes less where less is to be had
  ~Arena() { giveBack(); }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  void *allocate(std::size_t bytes); ///< aligned to 16; null: no memory
  /// \p alignment: a power of two.
  void *allocateAligned(std::size_t alignment, std::size_t bytes);
  void *allocateZeroed(std::size_t count, std::size_t bytes);
  /// A block that is not of the arena (the main thread's) is copied, not touched.
  void *reallocate(void *block, std::size_t bytes);
  void release(void *block); ///< null and blocks that are not of the arena are ignored
  void giveBack();           ///< all of it; nothing can be allocated any more
  std::span<std::byte> memory() const { return {base_, reserved_}; } ///< all that it may ever use

private:
  static constexpr std::size_t kAlignment = 16;
  static constexpr unsigned kClasses = 4 * 60;

  struct Free {
    Free *next;
  };
  bool holds(const void *from, std::size_t bytes) const;
  std::size_t bytesOf(const void *block) const;
  void *pop(std::size_t sizeClass, std::size_t bytes);
  std::byte *cut(std::size_t bytes);

  std::byte *base_ = nullptr;
  std::size_t reserved_ = 0;
  std::size_t used_ = 0;
  std::array<Free *, kClasses> free_{};
};

} // namespace forerun

#endif
