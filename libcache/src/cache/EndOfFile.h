// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_ENDOFFILE_H
#define FORERUN_ENDOFFILE_H

#include "pages/CachedFile.h"
#include "pages/PageTable.h"

/// \file
/// The rules of the end of a file: when it becomes known, and when it is forgotten.
///
/// Invariants
///  - Only what nothing has outdated shows an end: a fetch that came short or a fill, with the
///    file's `changes` as they were when it was asked for (the caller checks that). No end is
///    believed while a non-blocking write after it may move it.
///  - Trusted bytes after a known end disprove it; so does a shorter end a longer one.
///  - The sector that the known end cuts is valid no further, so it is outdated when the end is
///    forgotten.
/// Threads: none of its own; guarded by the cache's mutex.

namespace forerun {

class EndOfFile {
public:
  explicit EndOfFile(PageTable &table) : table_(table) {}

  /// The file may have grown. True if readers of a page may wait in vain now: wake them.
  [[nodiscard]] bool forget(CachedFile &file);
  /// Trusted bytes reach up to \p upTo (\p bytesBefore: there were any), and the file \p ended
  /// there. What was known before and says otherwise is forgotten. Returns what `forget` does.
  [[nodiscard]] bool show(CachedFile &file, std::uint64_t upTo, bool bytesBefore, bool ended);

private:
  PageTable &table_;
};

} // namespace forerun

#endif
