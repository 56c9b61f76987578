// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "base/Record.h"
#include "thread/Arena.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

/// \file
/// Private reads whose bytes have not been touched yet. An analysis says that the bytes of a read
/// may be needed; whether they are shows when the slice touches them. So the read is announced like
/// any other, and the pages for its bytes are made inaccessible. The first touch faults, and only
/// then does the thread wait for the bytes (PreThread::bring). Memory that is read into again, or
/// freed, before anything has touched it is never waited for.
///
/// Invariants
///  - The pages of a read are inaccessible as long as it is in the table, except between `open` and
///    `close`. No two reads share a page.
///  - The file is open read-only, so its bytes stay what they were when the call was made.
///  - Only memory of the thread's arena, page by page: large blocks have pages to themselves. What
///    follows the bytes on the last page keeps its value.
///
/// Belongs to the pre-execution thread, which may be ended at any instruction. `table` is kept and
/// put back with everything else where values are predicted.

namespace forerun {

class LazyReads {
public:
  static constexpr std::size_t kMax = 32;
  static constexpr std::size_t kLeastBytes = Arena::kOwnPagesBytes;

  struct Read {
    OpenedFile file;
    CallId call;
    std::uint64_t offset = 0; ///< in the file
    std::span<std::byte> to;  ///< starts at a page boundary
  };

  bool isEmpty() const { return table_.count == 0; }
  std::span<const Read> all() const { return {table_.reads.data(), table_.count}; } ///< by address
  /// Replaces reads whose pages it covers. False, with nothing changed: the read must be done now.
  bool add(const Read &read);
  /// A read that shares a page with these bytes; null: none does.
  const Read *find(const void *from, std::size_t bytes) const;
  void remove(const Read &read);  ///< \p read is in the table. Its pages are accessible again.
  void forget(const void *block); ///< the block has been freed

  // ---- around predictions ----
  const Read *findRagged() const; ///< a read that covers only part of its last page; null: none
  void open() const;              ///< all pages are accessible, with undefined contents
  void close() const;
  std::span<std::byte> table() { return std::as_writable_bytes(std::span(&table_, 1)); }
  /// Calls \p take with the accessible parts of \p memory.
  template <class Take> void forEachAccessible(std::span<std::byte> memory, const Take &take) const;

private:
  struct Table {
    std::array<Read, kMax> reads; ///< by address
    std::size_t count = 0;
  };
  static_assert(std::is_trivially_copyable_v<Table>);

  Table table_;
};

/// The pages that these bytes lie on.
std::span<std::byte> pagesOf(std::span<std::byte> bytes);

template <class Take>
void LazyReads::forEachAccessible(std::span<std::byte> memory, const Take &take) const {
  std::byte *from = memory.data();
  std::byte *const end = from + memory.size();
  for (const Read &each : all()) {
    const std::span<std::byte> pages = pagesOf(each.to);
    if (pages.data() >= end || pages.data() + pages.size() <= from)
      continue;
    if (pages.data() > from)
      take(std::span(from, pages.data()));
    from = std::min(end, pages.data() + pages.size());
  }
  if (from < end)
    take(std::span(from, end));
}

} // namespace forerun
