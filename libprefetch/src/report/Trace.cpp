// SPDX-License-Identifier: Apache-2.0
#include "report/Trace.h"

#include "base/Gather.h"
#include "base/Message.h"
#include "base/OutputFile.h"
#include "base/Packed.h"
#include "forerun/Clock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

namespace forerun {
namespace {

/// What to add to this rank's clock to convert it to rank 0's: nothing on rank 0's node, where the
/// clock is the same; elsewhere what a barrier shows.
std::int64_t clockShift(MPI_Comm world) {
  int rank = 0;
  PMPI_Comm_rank(world, &rank);
  std::array<char, MPI_MAX_PROCESSOR_NAME> own{}, first{};
  int length = 0;
  PMPI_Get_processor_name(own.data(), &length);
  first = own;
  PMPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, world);
  PMPI_Barrier(world);
  const auto here = static_cast<std::int64_t>(nowNs());
  std::int64_t there = here;
  PMPI_Bcast(&there, 1, MPI_INT64_T, 0, world);
  return own == first ? 0 : there - here;
}

/// When the first event of any rank began, on rank 0's clock.
std::int64_t originOf(const RankTimeline &own, MPI_Comm world) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), origin = 0;
  for (const TimelineEvent &event : own.events)
    first = std::min(first, static_cast<std::int64_t>(event.startNs) + own.shiftNs);
  PMPI_Allreduce(&first, &origin, 1, MPI_INT64_T, MPI_MIN, world);
  return origin;
}

struct Header {
  std::int64_t shiftNs;
  std::uint64_t lost, events, paths;
};

std::vector<char> packed(const RankTimeline &timeline) {
  Packer to;
  const Header header{timeline.shiftNs, timeline.lost, timeline.events.size(),
                      timeline.paths.size()};
  to.value(header);
  for (const std::string &path : timeline.paths)
    to.text(path);
  to.bytes(timeline.events.data(), timeline.events.size() * sizeof(TimelineEvent));
  return std::move(to.message);
}

RankTimeline unpacked(int rank, const std::vector<char> &message) {
  Unpacker from(message);
  const auto header = from.value<Header>();
  RankTimeline timeline{rank, header.shiftNs, header.lost, {}, {}};
  for (std::uint64_t n = 0; n < header.paths; ++n)
    timeline.paths.push_back(from.text());
  timeline.events.resize(header.events);
  from.bytes(timeline.events.data(), header.events * sizeof(TimelineEvent));
  return timeline;
}

RankTimeline timelineOf(Recording &recording) {
  RankTimeline timeline;
  timeline.events = recording.timeline().take();
  timeline.lost = recording.timeline().lost();
  for (const FileStats *file : recording.files().all())
    timeline.paths.push_back(file->path());
  return timeline;
}

} // namespace

void writeTrace(Recording &recording, const std::string &path, MPI_Comm world) {
  int rank = 0;
  PMPI_Comm_rank(world, &rank);
  RankTimeline own = orNothing([&] { return timelineOf(recording); });
  own.shiftNs = clockShift(world);
  const std::int64_t originNs = originOf(own, world);

  std::optional<OutputFile> file;
  std::unique_ptr<TraceWriter> writer;
  const auto take = [&](int from, const std::vector<char> &message) {
    if (message.empty())
      return false;
    const RankTimeline timeline = unpacked(from, message);
    if (writer)
      writer->write(timeline);
    if (timeline.lost != 0)
      (Message() << "trace of rank " << from << ": only the first " << Timeline::kMaxEvents
                 << " events were kept")
          .write();
    return true;
  };
  if (rank == 0)
    orNothing([&] {
      file.emplace(path);
      writer = std::make_unique<TraceWriter>(*file, originNs);
    });
  gatherToFirst(orNothing([&] { return packed(own); }), world,
                [&](int from, const std::vector<char> &message) {
                  const bool isTaken = orNothing([&] { return take(from, message); });
                  if (!isTaken && file)
                    file->fail(ENOMEM);
                });
  if (rank != 0)
    return;
  writer.reset();
  if (!file || !file->finish())
    (Message() << "the trace cannot be written to " << path << ": "
               << (file ? file->reason() : strerrordesc_np(ENOMEM)))
        .write();
}

} // namespace forerun
