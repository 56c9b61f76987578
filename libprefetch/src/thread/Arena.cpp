// SPDX-License-Identifier: Apache-2.0
#include "thread/Arena.h"

#include "forerun/Addresses.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxStepBytes = std::size_t{64} << 20;
constexpr std::uint64_t kShare = 8; ///< of the addresses that are left, where they are limited
/// A freed block of this size or more gives its pages back.
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

/// The blocks of large classes are whole pages.
SizeClass classOf(std::size_t bytes) {
  const std::size_t units = (std::max<std::size_t>(bytes, 1) + 15) / 16;
  if (units <= 4)
    return {units - 1, 16 * units};
  // units is in (whole, 2 * whole], in four equal steps.
  const std::size_t whole = std::bit_floor(units - 1);
  const std::size_t step = whole / 4;
  const std::size_t steps = (units - whole - 1) / step + 1; // NOLINT: step is 1 at least
  const auto doubling = static_cast<std::size_t>(std::countr_zero(whole));
  return {4 * (doubling - 1) + steps - 1, 16 * (whole + steps * step)};
}

std::size_t wholePages(std::size_t bytes) {
  return (bytes + Arena::kPageBytes - 1) & ~(Arena::kPageBytes - 1);
}

/// Uses a system call: a library interposed before libc's function may have a lock. Null: failed.
std::byte *map(std::byte *at, std::size_t bytes, int moreFlags) {
  const long made = syscall(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | moreFlags, -1, 0L);
  return made != -1 ? std::bit_cast<std::byte *>(made) : nullptr;
}

void unmap(std::byte *from, std::size_t bytes) { syscall(SYS_munmap, from, bytes); }

} // namespace

Arena::Arena(std::size_t mostBytes) : most_(mostBytes) { begin(std::min(kFirstBytes, most_)); }

/// Adds a region of this size with free addresses after it. The system hands out addresses from the
/// top, so the lowest part of a large free range is the last that others get.
bool Arena::begin(std::size_t bytes) {
  if (count_ == kMaxRegions || !leavesEnough(bytes))
    return false;
  const std::uint64_t free = addressesLeft() / kShare;
  for (auto range = static_cast<std::size_t>(std::min<std::uint64_t>(most_, free));;
       range = std::max(range / 2, bytes)) {
    range = std::max(wholePages(range), bytes);
    std::byte *const made = map(nullptr, range, 0);
    if (made == nullptr && range == bytes)
      return false;
    if (made == nullptr)
      continue;
    regions_[count_++] = {made, bytes, 0};
    mapped_ += bytes;
    if (range > bytes)
      unmap(made + bytes, range - bytes);
    return true;
  }
}

/// Extends the last region by the addresses adjacent to it.
bool Arena::extend(std::size_t bytes) {
  if (count_ == 0)
    return false;
  Region &last = regions_[count_ - 1];
  std::byte *const end = last.base + last.bytes;
  // Systems that do not know the flag take the address as a hint.
  std::byte *const made = map(end, bytes, MAP_FIXED_NOREPLACE);
  if (made != end) {
    if (made != nullptr)
      unmap(made, bytes);
    return false;
  }
  last.bytes += bytes;
  mapped_ += bytes;
  return true;
}

/// Makes room for this many bytes.
bool Arena::grow(std::size_t bytes) {
  const std::size_t least = wholePages(bytes);
  const std::size_t step = std::max(least, std::clamp(mapped_, kFirstBytes, kMaxStepBytes));
  for (const std::size_t more : {step, least})
    if (more <= most_ - mapped_ && leavesEnough(more) && (extend(more) || begin(more)))
      return true;
  return false;
}

bool Arena::leavesEnough(std::size_t bytes) const {
  const std::uint64_t left = addressesLeft();
  return left == std::numeric_limits<std::uint64_t>::max() ||
         mapped_ + bytes <= (left + mapped_) / kShare;
}

void Arena::giveBack() {
  for (const Region &region : std::span(regions_.data(), count_))
    unmap(region.base, region.bytes);
  count_ = mapped_ = most_ = 0;
  free_ = {};
}

std::span<const std::byte> Arena::regionOf(const void *from, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  for (std::size_t i = count_; i-- > 0;) {
    const std::uintptr_t distance = address - reinterpret_cast<std::uintptr_t>(regions_[i].base);
    if (distance <= regions_[i].bytes && bytes <= regions_[i].bytes - distance)
      return {regions_[i].base, regions_[i].bytes};
  }
  return {};
}

std::span<const std::byte> Arena::lastRegion() const {
  if (count_ == 0)
    return {};
  return {regions_[count_ - 1].base, regions_[count_ - 1].bytes};
}

/// Whether all of these bytes lie in what has been allocated so far.
bool Arena::holds(const void *from, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  for (std::size_t i = count_; i-- > 0;) {
    const std::uintptr_t distance = address - reinterpret_cast<std::uintptr_t>(regions_[i].base);
    if (distance <= regions_[i].used && bytes <= regions_[i].used - distance)
      return true;
  }
  return false;
}

/// The size in the block's header, if it is plausible; 0: not a block of the arena.
std::size_t Arena::bytesOf(const void *block) const {
  if (block == nullptr)
    return 0;
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
  const auto hasRoom = [&] {
    return count_ != 0 && bytes <= regions_[count_ - 1].bytes - regions_[count_ - 1].used;
  };
  if (!hasRoom() && !grow(bytes)) {
    short_ = true;
    return nullptr;
  }
  Region &last = regions_[count_ - 1];
  std::byte *piece = last.base + last.used;
  last.used += bytes;
  return piece;
}

void *Arena::allocate(std::size_t bytes) {
  if (bytes > most_)
    return nullptr;
  if (bytes >= kOwnPagesBytes)
    return allocateAligned(kPageBytes, bytes);
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

/// A block like any other, except that the bytes before it are lost; so a free block that
/// happens to be aligned is preferred.
void *Arena::allocateAligned(std::size_t alignment, std::size_t bytes) {
  if (bytes >= kOwnPagesBytes)
    alignment = std::max(alignment, kPageBytes);
  if (alignment <= kAlignment)
    return allocate(bytes);
  if (bytes > most_ || alignment > most_)
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
  if (bytes > most_)
    return nullptr;
  const std::size_t own = bytesOf(block);
  if (own != 0 && classOf(bytes).bytes == own)
    return block;
  if (own == 0 && holds(block, 0)) // its header is damaged
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
