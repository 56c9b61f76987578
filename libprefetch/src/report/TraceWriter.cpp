// SPDX-License-Identifier: Apache-2.0
#include "base/Json.h"
#include "report/Trace.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <functional>
#include <ostream>
#include <queue>
#include <utility>

namespace forerun {
namespace {

using Kind = TimelineEvent::Kind;

// Lanes are Chrome's thread numbers; Perfetto sorts by them.
constexpr int kReadLane = 1, kAnnouncementLane = 1000, kFetchLane = 2000;

constexpr std::array<const char *, 6> kNames = {"hit",          "late",     "miss",
                                                "announcement", "prefetch", "demand fetch"};

/// In microseconds, with the nanoseconds as decimals.
std::string microseconds(std::int64_t ns) {
  std::array<char, 32> text{};
  const std::int64_t positive = std::max<std::int64_t>(ns, 0);
  std::snprintf(text.data(), text.size(), "%" PRId64 ".%03" PRId64, positive / 1000,
                positive % 1000);
  return text.data();
}

std::vector<TimelineEvent> only(const std::vector<TimelineEvent> &events, Kind from, Kind to) {
  std::vector<TimelineEvent> some;
  std::copy_if(events.begin(), events.end(), std::back_inserter(some),
               [&](const TimelineEvent &event) { return event.kind >= from && event.kind <= to; });
  std::stable_sort(some.begin(), some.end(),
                   [](const auto &one, const auto &other) { return one.startNs < other.startNs; });
  return some;
}

} // namespace

std::vector<unsigned> assignLanes(const std::vector<TimelineEvent> &events) {
  using EndAndLane = std::pair<std::uint64_t, unsigned>;
  std::priority_queue<EndAndLane, std::vector<EndAndLane>, std::greater<>> busy;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> free;
  std::vector<unsigned> lanes;
  unsigned used = 0;
  for (const TimelineEvent &event : events) {
    for (; !busy.empty() && busy.top().first <= event.startNs; busy.pop())
      free.push(busy.top().second);
    if (free.empty())
      free.push(used++);
    lanes.push_back(free.top());
    busy.emplace(event.endNs, free.top());
    free.pop();
  }
  return lanes;
}

TraceWriter::TraceWriter(std::ostream &out, std::int64_t originNs)
    : out_(out), originNs_(originNs) {
  out_ << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
}

TraceWriter::~TraceWriter() { out_ << "\n]}\n"; }

void TraceWriter::begin() {
  out_ << (first_ ? "\n" : ",\n");
  first_ = false;
}

void TraceWriter::writeName(const char *what, int rank, int lane, const std::string &name) {
  begin();
  out_ << R"({"ph": "M", "name": ")" << what << R"(", "pid": )" << rank << R"(, "tid": )" << lane
       << R"(, "args": {"name": )" << jsonString(name) << "}}";
}

void TraceWriter::write(const RankTimeline &timeline) {
  std::string name = "rank " + std::to_string(timeline.rank);
  if (timeline.lost != 0)
    name += " (the last " + std::to_string(timeline.lost) + " events are not shown)";
  writeName("process_name", timeline.rank, 0, name);
  writeLanes(timeline, only(timeline.events, Kind::Hit, Kind::Miss), kReadLane, "main: reads");
  writeLanes(timeline, only(timeline.events, Kind::Announcement, Kind::Announcement),
             kAnnouncementLane, "pre-execution: prefetches issued");
  writeLanes(timeline, only(timeline.events, Kind::Prefetch, Kind::DemandFetch), kFetchLane,
             "fetches");
}

void TraceWriter::writeLanes(const RankTimeline &timeline, const std::vector<TimelineEvent> &events,
                             int firstLane, const char *name) {
  const std::vector<unsigned> lanes = assignLanes(events);
  const unsigned count = lanes.empty() ? 1 : *std::max_element(lanes.begin(), lanes.end()) + 1;
  for (unsigned lane = 0; lane < count; ++lane)
    writeName("thread_name", timeline.rank, firstLane + static_cast<int>(lane),
              lane == 0 ? name : std::string(name) + " " + std::to_string(lane + 1));
  for (std::size_t n = 0; n < events.size(); ++n)
    writeEvent(timeline, events[n], firstLane + static_cast<int>(lanes[n]));
}

void TraceWriter::writeEvent(const RankTimeline &timeline, const TimelineEvent &event, int lane) {
  const auto at = [&](std::uint64_t ns) {
    return microseconds(static_cast<std::int64_t>(ns) + timeline.shiftNs - originNs_);
  };
  const std::string path =
      event.file < timeline.paths.size() ? timeline.paths[event.file] : std::string();
  begin();
  out_ << R"({"name": ")" << kNames[static_cast<std::size_t>(event.kind)] << R"(", "pid": )"
       << timeline.rank << R"(, "tid": )" << lane << R"(, "ts": )" << at(event.startNs);
  if (event.kind == Kind::Announcement)
    out_ << R"(, "ph": "i", "s": "t")";
  else
    out_ << R"(, "ph": "X", "dur": )"
         << microseconds(static_cast<std::int64_t>(event.endNs - event.startNs));
  out_ << R"(, "args": {"file": )" << jsonString(path) << R"(, "offset": )" << event.offset
       << R"(, "length": )" << event.length;
  if (event.site >= 0)
    out_ << R"(, "site": )" << event.site;
  if (event.failed)
    out_ << R"(, "failed": true)";
  out_ << "}}";
}

} // namespace forerun
