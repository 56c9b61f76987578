// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_CHUNK_H
#define FORERUN_CHUNK_H

#include "cache/PageCache.h"

#include <array>
#include <type_traits>

/// \file
/// The pages that one read or fill works on at a time.

namespace forerun {

/// The part of a chunk in one page.
struct PageCache::Piece {
  Page *page; ///< null: not in the cache (only before `acquire`)
  std::uint64_t index;
  ByteRange range; ///< of the file, within the page
  SectorRange sectors;
};

static_assert(std::is_trivially_default_constructible_v<ByteRange> &&
              std::is_trivially_default_constructible_v<SectorRange>);

/// Consecutive pieces, few enough for the stack, and so that two readers leave each other room.
struct PageCache::Chunk {
  static constexpr std::size_t kMaxPieces = 64;

  CachedFile *file;
  std::size_t count;
  std::array<Piece, kMaxPieces> pieces; ///< not initialised from `count` on: that would cost more
                                        ///< than everything else on the hit path

  explicit Chunk(CachedFile &theFile) : file(&theFile), count(0) {}

  Piece *begin() { return pieces.data(); }
  Piece *end() { return pieces.data() + count; }
  const Piece *begin() const { return pieces.data(); }
  const Piece *end() const { return pieces.data() + count; }
  void add(const Piece &piece) { pieces[count++] = piece; }
};

} // namespace forerun

#endif
