// SPDX-License-Identifier: Apache-2.0
#include "thread/Fence.h"

#include <algorithm>
#include <memory>

struct forerun_pre_memory forerun_pre_memory;

namespace forerun {
namespace {

constexpr std::size_t kFirstRoom = 64;

/// Those of all units. Constructors prepend to the list, one after the other, before main begins.
constinit forerun_pre_globals *known = nullptr;

/// The part of the heap that clones check without a call.
void pointTo(std::span<const std::byte> region) {
  const auto *const from = reinterpret_cast<const char *>(region.data());
  forerun_pre_memory.heap = from;
  forerun_pre_memory.heap_end = from + region.size();
}

} // namespace

void Fence::know(forerun_pre_globals &globals) {
  globals.next = known;
  known = &globals;
}

Fence::~Fence() {
  if (isUp())
    forerun_pre_memory = {};
}

bool Fence::raise(std::span<const std::byte> stack, const Arena &heap) {
  if (!lend(stack.data(), stack.size()))
    return false;
  for (const forerun_pre_globals *unit = known; unit != nullptr; unit = unit->next)
    for (std::size_t i = 0; i < unit->count; ++i)
      if (!lend(unit->ranges[i].from, unit->ranges[i].bytes))
        return false;
  const auto *const stackFrom = reinterpret_cast<const char *>(stack.data());
  forerun_pre_memory = {nullptr, nullptr, stackFrom, stackFrom + stack.size()};
  pointTo(heap.lastRegion());
  heap_ = &heap;
  return true;
}

/// The first range that begins after \p place.
const Fence::Range *Fence::after(std::uintptr_t place) const {
  return std::upper_bound(ranges_, ranges_ + count_, place,
                          [](std::uintptr_t one, const Range &other) { return one < other.from; });
}

bool Fence::lend(const void *from, std::size_t bytes) {
  const auto place = reinterpret_cast<std::uintptr_t>(from);
  const Range *next = after(place);
  if (next != ranges_ && next[-1].holds(place, bytes))
    return true;
  const std::ptrdiff_t at = next - ranges_;
  if (count_ == room_) {
    const std::size_t room = std::max(kFirstRoom, 2 * room_);
    auto *const moved = static_cast<Range *>(memory_.reallocate(ranges_, room * sizeof(Range)));
    if (moved == nullptr)
      return false;
    ranges_ = moved;
    room_ = room;
  }
  std::uninitialized_default_construct_n(ranges_ + count_, 1);
  std::move_backward(ranges_ + at, ranges_ + count_, ranges_ + count_ + 1);
  ranges_[at] = {place, place + bytes};
  ++count_;
  return true;
}

bool Fence::owns(const void *from, std::size_t bytes) {
  if (heap_ != nullptr)
    if (const auto region = heap_->regionOf(from, bytes); !region.empty()) {
      pointTo(region);
      return true;
    }
  return hasLent(from, bytes);
}

bool Fence::hasLent(const void *from, std::size_t bytes) const {
  const auto place = reinterpret_cast<std::uintptr_t>(from);
  const Range *next = after(place);
  return next != ranges_ && next[-1].holds(place, bytes);
}

} // namespace forerun
