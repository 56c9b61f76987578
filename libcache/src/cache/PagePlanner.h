// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/FetchBook.h"
#include "cache/Reading.h"
#include "cache/Sharing.h"

/// \file
/// From a range that is announced, read or filled to pages that have frames, and to planned fetches
/// of what nobody has.
/// Threads: none of its own; guarded by the cache's mutex.

namespace forerun {

class PagePlanner {
public:
  PagePlanner(PageTable &table, Sharing &sharing, FetchBook &fetches)
      : geometry_(table.geometry()), table_(table), sharing_(sharing), fetches_(fetches) {}

  Announced announce(CachedFile &file, ByteRange range, Sequence sequence);
  /// Whether this process or others have all of \p range (not empty), or fetch it.
  bool covers(const CachedFile &file, ByteRange range) const;
  /// Whether \p range is long, and brought page by page would take longer than from the storage in
  /// one piece: because it passes through all of the cache many times; or because most of it is
  /// neither here nor under way, and its beginning neither, as it would be if it had been announced.
  /// Then it is in the cache by chance, and would evict what is announced.
  bool isLongAndAbsent(const CachedFile &file, ByteRange range) const;

  /// Looks up the next pages of the read, up to what others are to provide. True if every byte of
  /// them is present.
  bool collect(Chunk &chunk, const Reading &reading) const;
  /// Ensures that all sectors of the chunk are present or being fetched, at once. Cuts the chunk
  /// before the first page that gets no frame or no memory (false if nothing is left), and before
  /// what others have by now.
  bool acquire(Chunk &chunk, Reading &reading);
  /// Takes absent sectors of \p range into the chunk, in frames without announced pages. Returns
  /// where the next chunk begins: the end of the range if there are no such frames.
  std::uint64_t reserve(CachedFile &file, ByteRange range, Chunk &chunk);

private:
  bool fetchAhead(CachedFile &file, std::uint64_t index, ByteRange range, Sequence sequence);
  bool isInHand(const CachedFile &file, std::uint64_t index, ByteRange range) const;
  void dropIfTaken(Piece &piece, const Purpose &purpose);

  const Geometry &geometry_;
  PageTable &table_;
  Sharing &sharing_;
  FetchBook &fetches_;
};

} // namespace forerun
