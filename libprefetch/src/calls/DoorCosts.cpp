// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorCosts.h"

#include "calls/Guarded.h"
#include "calls/TheProcess.h"
#include "forerun/Clock.h"
#include "measure/ReadsAgain.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <memory>
#include <span>

/// Of a file that is being closed: what is made once more, and where its costs are counted.
struct forerun_samples {
  std::array<forerun::ReadsAgain, forerun::kReadForms> forms;
  forerun::FileStats *file;
  int fd;               ///< the program's, open for a while yet; -1: none
  std::size_t form = 0; ///< whose reads are being made
  std::span<const forerun::ReadSamples::Read> now; ///< these
  std::uint64_t beganNs = 0;                       ///< with them
};

namespace forerun {
namespace {

constexpr std::uint64_t kSystemPageBytes = 4096;

Recording &theRecording() { return theProcess().host().courier().recording(); }

void noteCost(forerun_handle *h, forerun_form form, const forerun_range *ranges, std::size_t count,
              int served, std::uint64_t ns, std::uint64_t waitedNs) {
  if (h->samples)
    theRecording().noteCost(*h->open->stats, *h->samples, static_cast<ReadForm>(form),
                            {ranges, count}, served != 0, ns, waitedNs);
}

forerun_samples *takeSamples(forerun_handle *h) {
  if (!h->samples)
    return nullptr;
  auto samples = std::make_unique<forerun_samples>();
  for (std::size_t form = 0; form < kReadForms; ++form)
    samples->forms[form] = ReadsAgain(h->samples->take(static_cast<ReadForm>(form)));
  samples->file = h->open->stats;
  samples->fd = h->fd.load();
  return samples.release();
}

int getKept(forerun_samples *s, std::size_t n, forerun_extent *extent) {
  const ReadSamples::Read *const read =
      s == nullptr ? nullptr : s->forms[FORERUN_COLLECTIVE].kept(n);
  if (read == nullptr)
    return 0;
  *extent = {.begin = INT64_MAX, .end = 0, .bytes = 0};
  for (const forerun_range &range : read->ranges) {
    extent->begin = std::min(extent->begin, static_cast<std::int64_t>(range.offset));
    extent->end = std::max(extent->end, static_cast<std::int64_t>(range.offset + range.length));
    extent->bytes += static_cast<std::int64_t>(range.length);
  }
  if (read->isLarger)
    extent->bytes = FORERUN_NOT_AGAIN;
  return 1;
}

void weigh(forerun_samples *s, std::size_t n, std::int64_t bytes) {
  s->forms[FORERUN_COLLECTIVE].weigh(
      n, bytes == FORERUN_NOT_AGAIN ? ReadsAgain::kNever : static_cast<std::uint64_t>(bytes));
}

/// Fetches have brought these bytes into the system's page cache, in which a program without
/// Forerun would not have found them.
void makeAbsent(int fd, std::span<const forerun_range> ranges) {
  for (const forerun_range &range : ranges) {
    const std::uint64_t begin = range.offset / kSystemPageBytes * kSystemPageBytes;
    const std::uint64_t end =
        (range.offset + range.length + kSystemPageBytes - 1) / kSystemPageBytes * kSystemPageBytes;
    posix_fadvise(fd, static_cast<off_t>(begin), static_cast<off_t>(end - begin),
                  POSIX_FADV_DONTNEED);
  }
}

/// Where an estimate needs more time than there is for all programs, it may have a part of the time
/// that the program has saved, as far as is known. \p tookNs: all reads of the file.
bool isWorth(const ReadsAgain::Price &price, std::uint64_t tookNs) {
  constexpr std::uint64_t kPart = 5;
  return price.wantedNs > tookNs && price.spentNs + price.ns <= (price.wantedNs - tookNs) / kPart;
}

std::size_t next(forerun_samples *s, forerun_form form) {
  if (s == nullptr)
    return 0;
  s->form = static_cast<std::size_t>(form);
  s->now = s->forms[s->form].next([s](const ReadsAgain::Price &price) {
    return theRecording().mayReadAgain(price.ns) || isWorth(price, s->file->costs().ns);
  });
  s->beganNs = nowNs();
  if (s->fd >= 0 && theRecording().fetchesFromStorage())
    for (const ReadSamples::Read &each : s->now)
      if (each.isFirst)
        makeAbsent(s->fd, each.ranges);
  return s->now.size();
}

void get(const forerun_samples *s, std::size_t n, const forerun_range **ranges,
         std::size_t *count) {
  *ranges = s->now[n].ranges.data();
  *count = s->now[n].ranges.size();
}

void took(forerun_samples *s, std::uint64_t ns) {
  s->forms[s->form].took(ns);
  theRecording().noteAgain(nowNs() - s->beganNs);
}

void endSamples(forerun_samples *s) {
  const std::unique_ptr<forerun_samples> ended(s);
  if (s == nullptr)
    return;
  for (std::size_t form = 0; form < kReadForms; ++form)
    if (const std::optional<ReadsAgain::Basis> basis = s->forms[form].basis())
      s->file->addBasis(static_cast<ReadForm>(form), *basis);
}

constexpr forerun_costs kCosts = {
    .read = Guarded<noteCost>::call,
    .take = Guarded<takeSamples>::call,
    .kept = Guarded<getKept>::call,
    .weigh = Guarded<weigh>::call,
    .next = Guarded<next>::call,
    .get = Guarded<get>::call,
    .took = Guarded<took>::call,
    .end = Guarded<endSamples>::call,
};

} // namespace

const forerun_costs &doorCosts() { return kCosts; }

} // namespace forerun
