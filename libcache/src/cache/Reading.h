// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchRequest.h"
#include "pages/PageTable.h"

#include <array>
#include <type_traits>

/// \file
/// What is known of a read while it is served, and the pages that it, or a fill, works on at a time.

namespace forerun {

/// Consecutive pieces, few enough for the stack, and so that two readers leave each other room.
struct Chunk {
  static constexpr std::size_t kMaxPieces = 64;

  std::size_t count = 0;
  std::array<Piece, kMaxPieces> pieces; ///< not initialised from `count` on: that would cost more
                                        ///< than everything else on the hit path
  static_assert(std::is_trivially_default_constructible_v<Piece>);

  Piece *begin() { return pieces.data(); }
  Piece *end() { return pieces.data() + count; }
  void add(const Piece &piece) { pieces[count++] = piece; }
};

/// A read in progress, of the program or of the pre-execution thread ahead of it.
struct Reading {
  CachedFile &file;
  std::byte *to;
  ByteRange range;
  bool program;
  bool fetches = false;  ///< what would be a miss at once
  Sequence sequence = 0; ///< of the program's read, if the pre-execution thread reads
  ReadResult result{Outcome::Hit, 0, 0};
  FetchRequest *own = nullptr; ///< planned, and to be read by the reader itself
  bool noMemory = false;       ///< to fetch what is absent
  bool faulted = false;        ///< `to` cannot be written to: the file system says what that means
  /// A page that others were to provide and did not: it is fetched without asking them again.
  std::uint64_t givenUp = ~std::uint64_t{0};

  /// What is still to be read, as far as the end of the file is known now.
  ByteRange rest() const { return file.upToEnd({range.begin + result.bytes, range.end}); }
  std::byte *next() const { return to + result.bytes; } ///< where it goes

  ReadResult served() {
    if (result.fetched)
      countMissed();
    else
      countServed(1);
    return result;
  }
  /// What has been counted as served could not be copied.
  ReadResult servedInVain() {
    if (result.fetched)
      return {Outcome::Miss, 0, 0}; // it counts as a miss already
    countServed(~std::uint64_t{0});
    return missed();
  }
  ReadResult missed() const {
    if (program)
      countMissed();
    return {Outcome::Miss, 0, 0};
  }

private:
  void countMissed() const {
    ++file.stats.misses;
    file.stats.missBytes += range.length();
  }
  /// \p times: 1, or -1 to take it back.
  void countServed(std::uint64_t times) const {
    CacheStats &stats = file.stats;
    const bool isHit = result.outcome == Outcome::Hit;
    (isHit ? stats.hits : stats.late) += program ? times : 0;
    (isHit ? stats.hitBytes : stats.lateBytes) += program ? times * result.bytes : 0;
  }
};

} // namespace forerun
