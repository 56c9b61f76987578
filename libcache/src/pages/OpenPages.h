// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/ZeroedArray.h"
#include "pages/Page.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// Where pages are found without the cache's mutex: a hint. What `find` returns may hold another
/// page by now, or none (`Page::open` tells, after a pin); a page that is not found may be there.
/// There are two places for each page, and four times as many as frames; neighbours in a file do
/// not collide.
///
/// Threads: `find` from any; the rest under the cache's mutex.

namespace forerun {

class OpenPages {
public:
  explicit OpenPages(std::size_t frames) : places_(std::bit_ceil(4 * frames)) {}

  Page *find(const CachedFile &file, std::uint64_t index, unsigned way) const {
    return places_[place(file, index) ^ way].load(std::memory_order_acquire);
  }

  void add(Page &page) {
    const std::size_t at = place(*page.file, page.index);
    for (unsigned way = 0; way < kWays; ++way)
      if (places_[at ^ way].load(std::memory_order_relaxed) == &page)
        return;
    const bool free = places_[at].load(std::memory_order_relaxed) == nullptr;
    places_[free ? at : at ^ 1].store(&page, std::memory_order_release);
  }
  void remove(Page &page) {
    const std::size_t at = place(*page.file, page.index);
    for (unsigned way = 0; way < kWays; ++way)
      if (places_[at ^ way].load(std::memory_order_relaxed) == &page)
        places_[at ^ way].store(nullptr, std::memory_order_relaxed);
  }

  static constexpr unsigned kWays = 2;

private:
  std::size_t place(const CachedFile &file, std::uint64_t index) const {
    constexpr unsigned kObjectBits = 6; // objects are at least this far apart
    return (index * kWays + (reinterpret_cast<std::uintptr_t>(&file) >> kObjectBits)) &
           (places_.size() - 1);
  }

  ZeroedArray<std::atomic<Page *>> places_;
};

} // namespace forerun
