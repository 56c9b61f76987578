// SPDX-License-Identifier: Apache-2.0
#include "Recording.h"

#include <chrono>

namespace forerun {

std::uint64_t monotonicNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void Recording::enable(bool report, bool trace) {
  report_ = report;
  trace_ = trace;
}

void Recording::noteRead(FileStats &file, Outcome outcome, std::uint64_t offset,
                         std::uint64_t bytes, std::uint64_t elapsedNs, std::uint64_t hiddenNs) {
  file.add(outcome, bytes, elapsedNs, hiddenNs);
  if (!trace_)
    return;
  TimelineEvent event;
  event.kind = static_cast<TimelineEvent::Kind>(outcome);
  event.file = file.index();
  event.offset = offset;
  event.length = bytes;
  event.endNs = monotonicNs();
  event.startNs = event.endNs - elapsedNs;
  timeline_.add(event);
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
  event.startNs = event.endNs = monotonicNs();
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
