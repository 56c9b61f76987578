// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pages/PageTable.h"

/// \file
/// What outdates bytes of a file: epochs, writes, and what is learnt of its end.
///
/// Invariants
///  - What was requested from the file system before a change, and whether the file ends there, is
///    not trusted after it: the file's `changes` have grown.
///  - An end is shown only by bytes that nothing has outdated: a short fetch or a fill, with the
///    file's `changes` as they were when it was requested (the caller checks that). No end is
///    believed while a non-blocking write after it may move it.
///  - Trusted bytes after a known end disprove it; a shorter end disproves a longer one.
///  - The sector that the known end cuts is valid only up to the end, so it is outdated when the
///    end is forgotten.
/// Readers may wait in vain for what is outdated: after a change, the caller wakes them.
/// Threads: none of its own; guarded by the cache's mutex.

namespace forerun {

class Coherence {
public:
  explicit Coherence(PageTable &table) : table_(table) {}

  /// Nothing that was requested from the file system so far is trusted any more.
  void beginEpoch(CachedFile &file);
  /// \p range (not empty) has been or is being written: what is requested from the file system from
  /// now on shows that.
  void noteChange(CachedFile &file, ByteRange range);
  /// The same; no copy of it is kept.
  void outdate(CachedFile &file, ByteRange range);

  /// Trusted bytes reach up to \p upTo (\p bytesBefore: there were any), and the file \p ended
  /// there. Earlier knowledge that contradicts this is forgotten. True if readers of a page may now
  /// wait in vain: wake them.
  [[nodiscard]] bool showEnd(CachedFile &file, std::uint64_t upTo, bool bytesBefore, bool ended);

private:
  bool forgetEnd(CachedFile &file);

  PageTable &table_;
};

} // namespace forerun
