// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// Bytes of a file, cut into pages and pages into sectors of 4 KiB. Pure arithmetic.

namespace forerun {

inline constexpr std::size_t kSectorBytes = 4096;
/// File offsets are signed in the file system's interface: no byte lies at or after this.
inline constexpr std::uint64_t kOffsetLimit = std::uint64_t{1} << 63;

/// Bytes [begin, end) of a file.
struct ByteRange {
  std::uint64_t begin, end;

  bool empty() const { return begin >= end; }
  std::uint64_t length() const { return empty() ? 0 : end - begin; }

  /// [offset, offset + length), cut at kOffsetLimit.
  static ByteRange of(std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t begin = std::min(offset, kOffsetLimit);
    return {begin, begin + std::min(length, kOffsetLimit - begin)};
  }
};

/// Sectors [first, last) of a page.
struct SectorRange {
  unsigned first, last;

  bool empty() const { return first >= last; }
};

/// Sectors of a page of at most 64, or the first 64 of a larger one: one bit each.
using Sectors = std::uint64_t;

inline Sectors bitsOf(SectorRange range) {
  constexpr unsigned kBits = 64;
  range.last = std::min(range.last, kBits);
  return range.empty() ? 0 : (~Sectors{0} >> (kBits - (range.last - range.first))) << range.first;
}
/// The first run of \p sectors (not 0) that follow each other.
inline SectorRange firstRunOf(Sectors sectors) {
  const auto first = static_cast<unsigned>(std::countr_zero(sectors));
  return {first, first + static_cast<unsigned>(std::countr_one(sectors >> first))};
}

class Geometry {
public:
  /// \p pageBytes: a power of two, at least kSectorBytes.
  explicit Geometry(std::size_t pageBytes)
      : pageBytes_(pageBytes), shift_(static_cast<unsigned>(std::countr_zero(pageBytes))) {}

  std::size_t pageBytes() const { return pageBytes_; }
  unsigned sectorsPerPage() const { return static_cast<unsigned>(pageBytes_ / kSectorBytes); }

  std::uint64_t pageOf(std::uint64_t offset) const { return offset >> shift_; }
  std::uint64_t pageBegin(std::uint64_t page) const { return page << shift_; }
  std::size_t inPage(std::uint64_t offset) const { return offset & (pageBytes_ - 1); }
  /// First page, and the one after the last, that \p range (not empty) touches.
  std::uint64_t firstPage(ByteRange range) const { return pageOf(range.begin); }
  std::uint64_t endPage(ByteRange range) const { return pageOf(range.end - 1) + 1; }

  /// The part of \p range inside \p page.
  ByteRange clip(ByteRange range, std::uint64_t page) const {
    const std::uint64_t begin = pageBegin(page);
    return {std::max(range.begin, begin), std::min(range.end, begin + pageBytes_)};
  }
  /// The sectors of \p page that \p range touches.
  SectorRange touched(ByteRange range, std::uint64_t page) const {
    const ByteRange part = clip(range, page);
    if (part.empty())
      return {};
    const std::uint64_t begin = pageBegin(page);
    return {static_cast<unsigned>((part.begin - begin) / kSectorBytes),
            static_cast<unsigned>((part.end - begin + kSectorBytes - 1) / kSectorBytes)};
  }
  /// The sectors of \p page that lie wholly inside \p range.
  SectorRange inside(ByteRange range, std::uint64_t page) const {
    const ByteRange part = clip(range, page);
    if (part.empty())
      return {};
    const std::uint64_t begin = pageBegin(page);
    const auto first =
        static_cast<unsigned>((part.begin - begin + kSectorBytes - 1) / kSectorBytes);
    const auto last = static_cast<unsigned>((part.end - begin) / kSectorBytes);
    return {first, std::max(first, last)};
  }
  std::uint64_t sectorBegin(std::uint64_t page, unsigned sector) const {
    return pageBegin(page) + std::uint64_t{sector} * kSectorBytes;
  }

private:
  std::size_t pageBytes_;
  unsigned shift_;
};

} // namespace forerun
