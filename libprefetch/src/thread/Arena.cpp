// SPDX-License-Identifier: Apache-2.0
#include "thread/Arena.h"

#include "forerun/Addresses.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <malloc.h>
#include <sys/mman.h>

namespace forerun {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kLeastReserve = std::size_t{1} << 20;
/// From here a freed block gives its pages back.
constexpr std::size_t kLargeBytes = std::size_t{128} << 10;

/// In front of every block; keeps the block aligned.
struct alignas(16) Header {
  std::size_t bytes; ///< of its size class
};

Header &headerOf(void *block) { return *(static_cast<Header *>(block) - 1); }

struct SizeClass {
  std::size_t index;
  std::size_t bytes; ///< 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, ...
};

SizeClass classOf(std::size_t bytes) {
  const std::size_t units = (std::max<std::size_t>(bytes, 1) + 15) / 16;
  if (units <= 4)
    return {units - 1, 16 * units};
  // units in (whole, 2 * whole], in four equal steps.
  const std::size_t whole = std::bit_floor(units - 1);
  const std::size_t step = whole / 4;
  const std::size_t steps = (units - whole - 1) / step + 1; // NOLINT: step is 1 at least
  const auto doubling = static_cast<std::size_t>(std::countr_zero(whole));
  return {4 * (doubling - 1) + steps - 1, 16 * (whole + steps * step)};
}

} // namespace

Arena::Arena(std::size_t reserveBytes) {
  constexpr std::uint64_t kShare = 8; // of what the program may map
  reserveBytes = std::min<std::uint64_t>(reserveBytes, addressesLeft() / kShare);
  for (; reserveBytes >= kLeastReserve; reserveBytes /= 2) {
    // Addresses only: pages come as they are touched.
    void *memory = mmap(nullptr, reserveBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      base_ = static_cast<std::byte *>(memory);
      reserved_ = reserveBytes;
      return;
    }
  }
}

void Arena::giveBack() {
  if (base_ != nullptr)
    munmap(base_, reserved_);
  base_ = nullptr;
  reserved_ = used_ = 0;
  free_ = {};
}

/// Whether all of them lie in what has been allocated so far.
bool Arena::holds(const void *from, std::size_t bytes) const {
  const auto *address = static_cast<const std::byte *>(from);
  return address >= base_ && address <= base_ + used_ &&
         bytes <= static_cast<std::size_t>(base_ + used_ - address);
}

/// As its header says, if that can be; 0: no block of the arena.
std::size_t Arena::bytesOf(const void *block) const {
  const auto *header = static_cast<const Header *>(block) - 1;
  if (!holds(header, sizeof *header))
    return 0;
  const std::size_t bytes = header->bytes;
  return holds(block, bytes) && classOf(bytes).bytes == bytes ? bytes : 0;
}

/// The first free block of a size class; null: there is none.
void *Arena::pop(std::size_t sizeClass, std::size_t bytes) {
  Free *first = free_[sizeClass];
  const bool isBlock = first != nullptr && bytesOf(first) == bytes;
  free_[sizeClass] = isBlock ? first->next : nullptr;
  return isBlock ? first : nullptr;
}

std::byte *Arena::cut(std::size_t bytes) {
  if (bytes > reserved_ - used_)
    return nullptr;
  std::byte *piece = base_ + used_;
  used_ += bytes;
  return piece;
}

void *Arena::allocate(std::size_t bytes) {
  if (bytes > reserved_)
    return nullptr;
  const SizeClass sizeClass = classOf(bytes);
  if (void *freed = pop(sizeClass.index, sizeClass.bytes))
    return freed;
  std::byte *piece = cut(sizeof(Header) + sizeClass.bytes);
  if (piece == nullptr)
    return nullptr;
  auto *header = reinterpret_cast<Header *>(piece);
  header->bytes = sizeClass.bytes;
  return header + 1;
}

/// A block like any other, but for the bytes in front of it, which are lost; so a free block that
/// happens to lie right is better.
void *Arena::allocateAligned(std::size_t alignment, std::size_t bytes) {
  if (alignment <= kAlignment)
    return allocate(bytes);
  if (bytes > reserved_ || alignment > reserved_)
    return nullptr;
  const SizeClass sizeClass = classOf(bytes);
  if (reinterpret_cast<std::uintptr_t>(free_[sizeClass.index]) % alignment == 0)
    if (void *freed = pop(sizeClass.index, sizeClass.bytes))
      return freed;
  std::byte *piece = cut(sizeof(Header) + alignment + sizeClass.bytes);
  if (piece == nullptr)
    return nullptr;
  const auto lowest = reinterpret_cast<std::uintptr_t>(piece) + sizeof(Header);
  void *block = piece + sizeof(Header) + (-lowest & (alignment - 1));
  headerOf(block).bytes = sizeClass.bytes;
  return block;
}

void *Arena::allocateZeroed(std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total))
    return nullptr;
  void *block = allocate(total);
  if (block != nullptr)
    std::memset(block, 0, total);
  return block;
}

void *Arena::reallocate(void *block, std::size_t bytes) {
  if (block == nullptr)
    return allocate(bytes);
  if (bytes == 0) {
    release(block);
    return nullptr;
  }
  if (bytes > reserved_)
    return nullptr;
  const std::size_t own = bytesOf(block);
  if (own != 0 && classOf(bytes).bytes == own)
    return block;
  if (own == 0 && holds(block, 0)) // what its header says cannot be
    return nullptr;
  const std::size_t had = own != 0 ? own : malloc_usable_size(block);
  void *moved = allocate(bytes);
  if (moved == nullptr)
    return nullptr;
  std::memcpy(moved, block, std::min(had, bytes));
  release(block);
  return moved;
}

void Arena::release(void *block) {
  const std::size_t bytes = bytesOf(block);
  if (bytes == 0)
    return;
  if (bytes >= kLargeBytes) {
    const auto first = (reinterpret_cast<std::uintptr_t>(block) + kPageBytes - 1) & -kPageBytes;
    const auto last = (reinterpret_cast<std::uintptr_t>(block) + bytes) & -kPageBytes;
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED); // NOLINT
  }
  auto *freed = static_cast<Free *>(block);
  Free *&first = free_[classOf(bytes).index];
  freed->next = first;
  first = freed;
}

} // namespace forerun
