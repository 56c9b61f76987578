// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/Recording.h"
#include "measure/Timeline.h"

#include <cstdint>
#include <iosfwd>
#include <mpi.h>
#include <string>
#include <vector>

/// \file
/// The timeline in Chrome's trace format (opens in Perfetto): a process per rank, with a lane for
/// the main thread's reads, one for the announcements, and as many for fetches as overlap.

namespace forerun {

/// One rank's part.
struct RankTimeline {
  int rank = 0;
  std::int64_t shiftNs = 0; ///< added to its times, to convert them to rank 0's
  std::uint64_t lost = 0;
  std::vector<std::string> paths; ///< by TimelineEvent::file
  std::vector<TimelineEvent> events;
};

/// The lane of each of \p events, which are sorted by start: events of a lane do not overlap, and
/// the number of lanes is minimal.
std::vector<unsigned> assignLanes(const std::vector<TimelineEvent> &events);

class TraceWriter {
public:
  /// Times are written relative to \p originNs.
  TraceWriter(std::ostream &out, std::int64_t originNs);
  ~TraceWriter();
  TraceWriter(const TraceWriter &) = delete;
  TraceWriter &operator=(const TraceWriter &) = delete;
  void write(const RankTimeline &timeline);

private:
  void begin();
  void writeLanes(const RankTimeline &timeline, const std::vector<TimelineEvent> &events,
                  int firstLane, const char *name);
  void writeEvent(const RankTimeline &timeline, const TimelineEvent &event, int lane);
  void writeName(const char *what, int rank, int lane, const std::string &name);

  std::ostream &out_;
  std::int64_t originNs_;
  bool first_ = true;
};

/// Collective: gathers every rank's timeline on rank 0, which writes \p path.
void writeTrace(Recording &recording, const std::string &path, MPI_Comm world);

} // namespace forerun
