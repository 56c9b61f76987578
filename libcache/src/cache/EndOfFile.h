// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_ENDOFFILE_H
#define FORERUN_ENDOFFILE_H

#include "pages/CachedFile.h"
#include "pages/PageTable.h"

/// \file
/// The rules of the end of a file: when it becomes known, and when it is forgotten.
///
/// Invariants
///  - An end is shown only by bytes that nothing has outdated: a short fetch or a fill, with the
///    file's `changes` as they were when it was requested (the caller checks that). No end is
///    believed while a non-blocking write after it may move it.
///  - Trusted bytes after a known end disprove it; a shorter end disproves a longer one.
///  - The sector that the known end cuts is valid only up to the end, so it is outdated when the
///    end is forgotten.
/// Threads: none of its own; guarded by the cache's mutex.

namespace forerun {

class EndOfFile {
public:
  explicit EndOfFile(PageTable &table) : table_(table) {}

  /// The file may have grown. True if readers of a page may now wait in vain: wake them.
  [[nodiscard]] bool forget(CachedFile &file);
  /// Trusted bytes reach up to \p upTo (\p bytesBefore: there were any), and the file \p ended
  /// there. Earlier knowledge that contradicts this is forgotten. Returns what `forget` does.
  [[nodiscard]] bool show(CachedFile &file, std::uint64_t upTo, bool bytesBefore, bool ended);

private:
  PageTable &table_;
};

} // namespace forerun

#endif
