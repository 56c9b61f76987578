// SPDX-License-Identifier: Apache-2.0
#include "cache/PageCache.h"
#include "forerun/Clock.h"

namespace forerun {

void PageCache::invalidate(CachedFile &file, std::uint64_t offset, std::uint64_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  const MutexLock lock(mutex_, kSpinFirst);
  outdate(file, range);
}

void PageCache::setVolatile(CachedFile &file, Writer writer, std::uint64_t offset,
                            std::uint64_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  const MutexLock lock(mutex_, kSpinFirst);
  outdate(file, range);
  file.addVolatile(writer, range);
}

void PageCache::newEpoch(CachedFile &file, Writer ended) {
  const MutexLock lock(mutex_, kSpinFirst);
  dropAll(file);
  file.endVolatile(ended);
}

void PageCache::setAtomic(CachedFile &file, bool atomic) {
  const MutexLock lock(mutex_, kSpinFirst);
  dropAll(file);
  file.setAtomic(atomic);
}

/// Nothing that was requested from the file system so far is trusted any more.
void PageCache::dropAll(CachedFile &file) {
  ++file.changes;
  unshare(file);
  file.own.beginEpoch(nowNs());
  while (!file.pages.empty())
    table_.drop(*file.pages.begin()->second);
  file.setEnd(CachedFile::kUnknownEnd);
  wakeAllReaders();
}

/// \p range (not empty) has been or is being written: what is requested from the file system from
/// now on shows that.
void PageCache::noteChange(CachedFile &file, ByteRange range) {
  ++file.changes;
  file.own.wrote(geometry_.firstPage(range), geometry_.endPage(range), nowNs());
  if (range.end > file.end())
    (void)ends_.forget(file); // the caller wakes all readers
}

void PageCache::outdate(CachedFile &file, ByteRange range) {
  const std::uint64_t first = geometry_.firstPage(range);
  const std::uint64_t endPage = geometry_.endPage(range);
  noteChange(file, range);
  PageTable *const table = &table_; // the analysis does not follow calls of a lambda
  const auto outdatePage = [&](Page *page) {
    table->outdate(*page, geometry_.touched(range, page->index));
  };
  if (endPage - first <= file.pages.size()) {
    for (std::uint64_t index = first; index < endPage; ++index)
      if (Page *page = table_.find(file, index))
        outdatePage(page);
  } else {
    for (auto next = file.pages.begin(); next != file.pages.end();) {
      const auto [index, page] = *next++; // it may be removed
      if (index >= first && index < endPage)
        outdatePage(page);
    }
  }
  wakeAllReaders();
}

/// Page by page, so that no thread waits long for the mutex.
void PageCache::update(CachedFile &file, std::uint64_t offset, const void *bytes,
                       std::size_t length) {
  const ByteRange range = ByteRange::of(offset, length);
  if (range.empty())
    return;
  {
    const MutexLock lock(mutex_, kSpinFirst);
    if (file.bypasses(range)) // another write of these bytes may be under way
      return outdate(file, range);
    noteChange(file, range);
    wakeAllReaders();
  }
  const std::uint64_t endPage = geometry_.endPage(range);
  for (std::uint64_t index = geometry_.firstPage(range); index < endPage; ++index) {
    const MutexLock lock(mutex_, kSpinFirst);
    if (Page *page = table_.find(file, index))
      overwrite(*page, range, static_cast<const std::byte *>(bytes));
  }
}

void PageCache::overwrite(Page &page, ByteRange range, const std::byte *bytes) {
  if (!FetchBook::correct(page, range, bytes))
    table_.drop(page);
  else
    table_.overwrite(page, range, bytes);
  wakeReaders(page);
}

} // namespace forerun
