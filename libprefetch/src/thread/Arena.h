// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// The memory of the pre-execution thread: malloc's functions without a lock.
///
/// Regions of addresses are cut from their start into blocks of size classes (four to a doubling),
/// with a free list per class. Large blocks have pages to themselves; the largest give their pages
/// back when freed. Everything is freed at once with the arena, so the thread may be ended in any
/// function (if that one was growing, the new addresses are lost).
/// Used by one thread at a time.
///
/// The arena begins small and grows as it is used, by addresses adjacent to those it has, so that
/// there is one region unless something else was mapped there. Where addresses are limited
/// (RLIMIT_AS, which the program may set at any time), it leaves most of them to the program.
///
/// A slice gone wrong may write past the end of its blocks, over headers and free lists. So these
/// are not trusted: what they point to is used only if it lies in the arena.

namespace forerun {

class Arena {
public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 30;
  static constexpr std::size_t kPageBytes = 4096;
  /// Blocks from this size on have pages to themselves.
  static constexpr std::size_t kOwnPagesBytes = std::size_t{16} << 10;

  explicit Arena(std::size_t mostBytes = kMaxBytes);
  ~Arena() { giveBack(); }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  void *allocate(std::size_t bytes); ///< aligned to 16; null: no memory
  /// \p alignment: a power of two.
  void *allocateAligned(std::size_t alignment, std::size_t bytes);
  void *allocateZeroed(std::size_t count, std::size_t bytes);
  /// A block that is not from the arena (the main thread's) is copied, not touched.
  void *reallocate(void *block, std::size_t bytes);
  void release(void *block); ///< null and blocks that are not from the arena are ignored
  void giveBack();           ///< all of it; nothing can be allocated afterwards
  /// The region that contains all of these bytes; empty: no region of the arena does.
  std::span<const std::byte> regionOf(const void *from, std::size_t bytes) const;
  std::span<const std::byte> lastRegion() const;
  /// Calls \p take with what has been allocated so far, region by region.
  template <class Take> void forEachUsed(const Take &take) const {
    for (std::size_t i = 0; i < count_; ++i)
      take(std::span<std::byte>(regions_[i].base, regions_[i].used));
  }
  bool isShort() const { return short_; } ///< it could not grow

private:
  static constexpr std::size_t kAlignment = 16;
  static constexpr unsigned kClasses = 4 * 60;
  static constexpr std::size_t kMaxRegions = 64;

  struct Free {
    Free *next;
  };
  struct Region {
    std::byte *base;
    std::size_t bytes, used;
  };
  bool holds(const void *from, std::size_t bytes) const;
  std::size_t bytesOf(const void *block) const;
  void *pop(std::size_t sizeClass, std::size_t bytes);
  std::byte *cut(std::size_t bytes);
  bool begin(std::size_t bytes);
  bool grow(std::size_t bytes);
  bool extend(std::size_t bytes);
  bool leavesEnough(std::size_t bytes) const;

  std::size_t most_;
  std::size_t mapped_ = 0; ///< bytes of all regions
  std::array<Region, kMaxRegions> regions_{};
  std::size_t count_ = 0; ///< of regions; blocks are cut from the last one
  bool short_ = false;
  std::array<Free *, kClasses> free_{};
};

} // namespace forerun
