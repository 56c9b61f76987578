// SPDX-License-Identifier: Apache-2.0
#include "measure/Recording.h"

#include "forerun/Clock.h"

#include <algorithm>
#include <utility>

namespace forerun {
namespace {

/// How long reads may be made once more: a share of the time that the program has taken, and a time
/// for short programs.
constexpr std::uint64_t kShareAgain = 25, kLeastAgainNs = 250'000'000;
/// Longer than the system takes for bytes in its page cache.
constexpr std::uint64_t kFromStorageNs = 100'000;

/// The calling thread's read call; 0: there is none.
thread_local std::uint64_t callBeganNs = 0;
/// Whether anything that it has read came from another process.
thread_local bool cameFromOthers = false;

} // namespace

void Recording::enable(bool report, bool trace) {
  report_ = report;
  trace_ = trace;
  startNs_ = nowNs();
  series_.start(startNs_);
}

void Recording::noteStarted(FileStats &file, std::uint64_t offset, std::uint64_t length) {
  noteRead(file, {Outcome::Miss, length, 0}, offset, 0);
}

void Recording::noteRead(FileStats &file, const ReadResult &read, std::uint64_t offset,
                         std::uint64_t elapsedNs) {
  file.add(read);
  cameFromOthers = cameFromOthers || read.fromOthers > 0;
  if (report_) {
    const ReadFigures figures = figuresOf(read);
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

void Recording::noteTimed(bool begins) {
  if (begins) {
    cameFromOthers = false;
    callBeganNs = nowNs();
    return;
  }
  const std::uint64_t now = nowNs();
  ReadFigures figures;
  figures.readNs = now - std::exchange(callBeganNs, 0);
  calls_.fetch_add(1, std::memory_order_relaxed);
  callNs_.fetch_add(figures.readNs, std::memory_order_relaxed);
  series_.add(now, figures);
  sites_.add(figures);
}

void Recording::noteCost(FileStats &file, ReadSamples &samples, ReadForm form,
                         std::span<const forerun_range> ranges, bool served, std::uint64_t ns,
                         std::uint64_t waitedNs) {
  if (callBeganNs == 0)
    return;
  file.addCost(
      {form, served, ReadSamples::isLarger(ranges), ReadSamples::bytesOf(ranges), ns, waitedNs});
  const bool isFirst = !file.seen().addAll(ranges) && !cameFromOthers;
  if (served || form == ReadForm::Collective)
    samples.add(form, ranges, isFirst);
}

bool Recording::mayReadAgain(std::uint64_t ns) const {
  return againNs_.load(std::memory_order_relaxed) + ns <=
         std::max((nowNs() - startNs_) / kShareAgain, kLeastAgainNs);
}

void Recording::noteAgain(std::uint64_t ns) { againNs_.fetch_add(ns, std::memory_order_relaxed); }

bool Recording::fetchesFromStorage() const {
  return LatencyHistogram::percentile(fetchLatency_.counts(), 0.5) >= kFromStorageNs;
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
