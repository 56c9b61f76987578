// SPDX-License-Identifier: Apache-2.0
#include "measure/Recording.h"

#include "forerun/Clock.h"

#include <algorithm>

namespace forerun {
namespace {

/// What a system sends to the storage as one request when a program reads without Forerun, like
/// Linux's read-ahead.
constexpr std::uint64_t kRequestBytes = std::uint64_t{128} << 10;
/// The median is updated after each of the first fetches issued alone, then every kMedianEvery.
constexpr std::uint64_t kMedianEvery = 32;

} // namespace

void Recording::enable(bool report, bool trace) {
  report_ = report;
  trace_ = trace;
  series_.start(nowNs());
}

void Recording::noteRead(FileStats &file, ReadResult read, std::uint64_t offset,
                         std::uint64_t elapsedNs) {
  const bool isOthers = read.fromOthers > 0 && file.isInAnotherBlock(offset / kRequestBytes);
  read.hiddenNs = hiddenOf(read, isOthers, elapsedNs);
  note(file, read, offset, elapsedNs);
}

void Recording::noteStarted(FileStats &file, std::uint64_t offset, std::uint64_t length) {
  note(file, {Outcome::Miss, length, 0}, offset, 0);
}

void Recording::note(FileStats &file, const ReadResult &read, std::uint64_t offset,
                     std::uint64_t elapsedNs) {
  file.add(read, elapsedNs);
  if (report_) {
    const ReadFigures figures = figuresOf(read, elapsedNs);
    series_.add(nowNs(), figures);
    sites_.add(figures);
    if (read.outcome == Outcome::Late)
      lateReads_.add(elapsedNs);
  }
  if (!trace_)
    return;
  TimelineEvent event;
  event.kind = static_cast<TimelineEvent::Kind>(read.outcome);
  event.file = file.index();
  event.offset = offset;
  event.length = read.bytes;
  event.endNs = nowNs();
  event.startNs = event.endNs - elapsedNs;
  timeline_.add(event);
}

/// The times of others' fetches are unknown here: for their data, the program's own read counts.
std::uint64_t Recording::hiddenOf(const ReadResult &read, bool isOthers,
                                  std::uint64_t elapsedNs) const {
  const std::uint64_t unloadedNs = unloadedNs_.load(std::memory_order_relaxed);
  if (unloadedNs == 0)
    return read.hiddenNs;
  const std::uint64_t requests = (read.bytes + kRequestBytes - 1) / kRequestBytes;
  const std::uint64_t withoutNs = requests * unloadedNs;
  const std::uint64_t sparedNs = withoutNs > elapsedNs ? withoutNs - elapsedNs : 0;
  return isOthers ? sparedNs : std::min(read.hiddenNs, sparedNs);
}

void Recording::noteAnnounced(const FileStats &file, const Record &record) {
  if (!trace_)
    return;
  TimelineEvent event;
  event.kind = TimelineEvent::Kind::Announcement;
  event.file = file.index();
  event.site = record.call.site;
  event.offset = record.offset;
  event.length = record.length;
  event.startNs = event.endNs = nowNs();
  timeline_.add(event);
}

void Recording::noteFetched(const std::string &path, const FetchEvent &event) {
  fetchLatency_.add(event.finishedNs - event.issuedNs);
  if (event.inFlight == 1 && event.rc == FORERUN_OK) {
    loneLatency_.add(event.finishedNs - event.issuedNs);
    const std::uint64_t before = loneFetches_.fetch_add(1, std::memory_order_relaxed);
    if (before < kMedianEvery || before % kMedianEvery == 0)
      unloadedNs_.store(LatencyHistogram::percentile(loneLatency_.counts(), 0.5),
                        std::memory_order_relaxed);
  }
  if (!trace_)
    return;
  TimelineEvent fetch;
  fetch.kind = event.kind == FetchKind::Prefetch ? TimelineEvent::Kind::Prefetch
                                                 : TimelineEvent::Kind::DemandFetch;
  fetch.file = files_.of(path).index();
  fetch.failed = event.rc != FORERUN_OK;
  fetch.offset = event.offset;
  fetch.length = event.length;
  fetch.startNs = event.issuedNs;
  fetch.endNs = event.finishedNs;
  timeline_.add(fetch);
}

} // namespace forerun
