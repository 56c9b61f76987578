// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorWrites.h"

#include "calls/TheProcess.h"

#include <algorithm>
#include <span>

namespace forerun {
namespace {

/// Tells the cache of a blocking write, if it must hear of it, and then what waits for the write.
template <typename Tell>
void tellOfWrite(forerun_handle &h, std::span<const forerun_range> ranges, const Tell &tell) {
  CacheHost &host = theProcess().host();
  Courier &courier = host.courier();
  courier.files().withFileOf(h, [&](OpenFile *open) {
    if (open != nullptr && open->mustHearOfWrite())
      tell(*host.cache(), *open->cached);
    for (std::size_t n = 0; open != nullptr && n < ranges.size(); ++n)
      courier.noteWritten(*open, ranges[n].offset, ranges[n].length);
  });
}

} // namespace

void settle(CacheHost &host, forerun_handle &handle) {
  host.courier().files().withFileOf(handle, [&](OpenFile *open) {
    if (open != nullptr)
      open->settle(*host.cache(), handle);
    if (handle.file == nullptr)
      handle.posted = false;
  });
}

namespace entries {

void written(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  tellOfWrite(*h, {ranges, count}, [&](Cache &cache, CachedFile &file) {
    std::for_each(ranges, ranges + count, [&](const forerun_range &range) {
      cache.invalidate(file, range.offset, range.length);
    });
  });
}

void wrote(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length) {
  const forerun_range range{offset, length};
  tellOfWrite(*h, {&range, 1},
              [&](Cache &cache, CachedFile &file) { cache.update(file, offset, buffer, length); });
}

/// With a pre-execution thread the file counts as announced.
void writing(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  Process &process = theProcess();
  CacheHost &host = process.host();
  host.courier().files().withFileOf(*h, [&](OpenFile *open) {
    if (h->file == nullptr)
      h->posted = true;
    if (open == nullptr)
      return;
    std::for_each(ranges, ranges + count, [&](const forerun_range &range) {
      host.courier().noteWritten(*open, range.offset, range.length);
    });
    if (process.progress() == nullptr && open->leaveUnknown(*h))
      return;
    std::for_each(ranges, ranges + count, [&](const forerun_range &range) {
      host.cache()->setVolatile(*open->cached, h, range.offset, range.length);
    });
  });
}

void epoch(forerun_handle *h, int settled) {
  CacheHost &host = theProcess().host();
  if (settled != 0)
    settle(host, *h);
  host.courier().files().withFileOf(*h, [&](OpenFile *open) {
    if (open != nullptr && settled == 0)
      host.cache()->newEpoch(*open->cached, nullptr);
    if (open != nullptr)
      host.courier().noteEpoch(*open);
  });
}

void atomicity(forerun_handle *h, int atomic) {
  CacheHost &host = theProcess().host();
  host.cache()->setAtomic(*h->file, host.courier().files().setAtomic(*h, atomic != 0));
}

} // namespace entries
} // namespace forerun
