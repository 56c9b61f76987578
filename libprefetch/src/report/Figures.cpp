// SPDX-License-Identifier: Apache-2.0
#include "report/Figures.h"

#include "base/CpuClock.h"
#include "base/Gather.h"
#include "base/Packed.h"
#include "courier/Courier.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace forerun {
namespace {

/// The time in reads is that of the calls. Without Forerun, what the drivers did of it would have
/// taken another time.
void addReads(FigureSet &figures, const Recording &recording) {
  const ReadCosts costs = recording.files().costs();
  ReadFigures all;
  for (const FileStats *file : recording.files().all())
    all += file->figures(costs);
  figures[Figure::Hits] = all.reads[0];
  figures[Figure::Late] = all.reads[1];
  figures[Figure::Misses] = all.reads[2];
  figures[Figure::HitBytes] = all.bytes[0];
  figures[Figure::LateBytes] = all.bytes[1];
  figures[Figure::MissBytes] = all.bytes[2];
  figures[Figure::ReadNs] = recording.callNs();
  figures[Figure::WithoutNs] =
      recording.callNs() - std::min(recording.callNs(), all.readNs) + all.withoutNs;
  figures[Figure::Unknown] = all.unknown;
  figures[Figure::Calls] = recording.calls();
  for (const ReadCosts::OfForm &form : costs.forms)
    figures[Figure::Again] += form.again;
}

void addAnnouncements(FigureSet &figures, const Courier::Counters &counters) {
  figures[Figure::Announced] = counters.announced;
  figures[Figure::AnnouncedBytes] = counters.announcedBytes;
  figures[Figure::SkippedLate] = counters.skippedLate;
  figures[Figure::Parked] = counters.parked;
  figures[Figure::Dropped] = counters.dropped;
  figures[Figure::PrivateReads] = counters.privateReads;
  figures[Figure::Synchronisations] = counters.synchronisations;
  figures[Figure::Withdrawn] = counters.withdrawn;
}

void addCache(FigureSet &figures, const CacheStats &stats) {
  figures[Figure::Fetches] = stats.fetches;
  figures[Figure::FetchedBytes] = stats.fetchedBytes;
  figures[Figure::FailedFetches] = stats.failedFetches;
  figures[Figure::StaleFetches] = stats.staleFetches;
  figures[Figure::UsefulBytes] = stats.usefulBytes;
  figures[Figure::UselessBytes] = stats.uselessBytes;
  figures[Figure::ElsewhereHits] = stats.elsewhereHits;
  figures[Figure::ElsewhereBytes] = stats.elsewhereBytes;
  figures[Figure::SavedBytes] = stats.savedBytes;
  figures[Figure::PeerBytes] = stats.peerBytes;
  figures[Figure::PeerMessages] = stats.peerMessages;
  figures[Figure::PeerPackets] = stats.peerPackets;
  figures[Figure::Evictions] = stats.evictions;
  figures[Figure::PeakBytes] = stats.peakBytes;
  figures[Figure::BorrowedBytes] = stats.borrowedBytes;
}

Figure stateOf(const RankSource &rank) {
  if (!rank.enabled)
    return Figure::RanksOff;
  if (rank.cache == nullptr)
    return Figure::RanksWithoutCache;
  if (!rank.launched)
    return Figure::RanksWithoutPreExecution;
  switch (rank.courier.throttle().state()) {
  case Throttle::State::Stopped:
    return Figure::RanksStopped;
  case Throttle::State::Suspended:
    return Figure::RanksSuspended;
  default:
    return Figure::RanksRunning;
  }
}

// Each file and each call site is sent together with its figures.

std::vector<char> packed(const ReadStats &files, const SiteReads &sites) {
  Packer to;
  const std::vector<const FileStats *> all = files.all();
  const ReadCosts costs = files.costs();
  to.value(std::uint64_t{all.size()});
  for (const FileStats *file : all) {
    to.text(file->path());
    to.value(file->figures(costs));
  }
  for (const auto &[place, figures] : sites.figures()) {
    to.value(place.site);
    to.value(place.line);
    to.text(place.file);
    to.text(place.call);
    to.value(figures);
  }
  return std::move(to.message);
}

void unpack(const std::vector<char> &message, JobFigures &job) {
  Unpacker from(message);
  for (auto files = from.isAtEnd() ? 0 : from.value<std::uint64_t>(); files > 0; --files) {
    const std::string path = from.text();
    job.files[path] += from.value<ReadFigures>();
  }
  while (!from.isAtEnd()) {
    CallPlace place;
    place.site = from.value<int>();
    place.line = from.value<int>();
    place.file = from.text();
    place.call = from.text();
    job.sites[place] += from.value<ReadFigures>();
  }
}

void reduce(const LatencyHistogram::Counts &own, LatencyHistogram::Counts &sum, MPI_Comm world) {
  PMPI_Reduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, 0,
              world);
}

/// The intervals are those of the rank that ran longest.
IntervalFigures summed(IntervalFigures own, MPI_Comm world) {
  static_assert(sizeof own.intervals % sizeof(std::uint64_t) == 0);
  IntervalFigures sum;
  std::uint64_t length = 0;
  PMPI_Allreduce(&own.lengthNs, &length, 1, MPI_UINT64_T, MPI_MAX, world);
  own.widen(length);
  sum.lengthNs = length;
  PMPI_Reduce(own.intervals.data(), sum.intervals.data(),
              sizeof own.intervals / sizeof(std::uint64_t), MPI_UINT64_T, MPI_SUM, 0, world);
  return sum;
}

FigureSet reduced(const FigureSet &own, MPI_Op operation, MPI_Comm world) {
  FigureSet result;
  PMPI_Reduce(own.values.data(), result.values.data(), static_cast<int>(kFigures), MPI_UINT64_T,
              operation, 0, world);
  return result;
}

} // namespace

const char *figureName(std::size_t figure) {
  static constexpr std::array<const char *, kFigures> kNames = {
#define X(name, text) text,
      FORERUN_FIGURES(X)
#undef X
  };
  return kNames[figure];
}

FigureSet figuresOf(const RankSource &rank) {
  FigureSet figures;
  addReads(figures, rank.courier.recording());
  addAnnouncements(figures, rank.courier.counters());
  if (rank.cache != nullptr)
    addCache(figures, rank.cache->stats());
  figures[Figure::Suspensions] = rank.courier.throttle().suspensions();
  figures[stateOf(rank)] = 1;
  figures[Figure::RanksUntimed] = rank.timed ? 0 : 1;
  figures[Figure::Predictions] = rank.predictions;
  figures[Figure::WrongPredictions] = rank.wrongPredictions;
  figures[Figure::PreNs] = rank.preNs;
  figures[Figure::ProgramNs] = cpuNs(); // of the main thread, on which this runs
  figures[Figure::Restrained] = rank.restrained ? 1 : 0;
  figures[Figure::EndedEarly] = *rank.whyEnded != '\0' ? 1 : 0;
  return figures;
}

JobFigures gather(const RankSource &rank, MPI_Comm world) {
  JobFigures job;
  orNothing([&] {
    job.run = runInfo();
    job.whyOff = rank.whyOff;
    job.whyEnded = rank.whyEnded;
  });
  PMPI_Comm_size(world, &job.ranks);
  const FigureSet own = orNothing([&] { return figuresOf(rank); });
  job.sum = reduced(own, MPI_SUM, world);
  job.least = reduced(own, MPI_MIN, world);
  job.most = reduced(own, MPI_MAX, world);
  const Recording &recording = rank.courier.recording();
  reduce(recording.fetchLatency().counts(), job.fetchLatency, world);
  reduce(recording.lateReads().counts(), job.lateReads, world);
  job.series = summed(recording.series().figures(), world);
  gatherToFirst(
      orNothing([&] { return packed(recording.files(), recording.sites()); }), world,
      [&](int, const std::vector<char> &message) { orNothing([&] { unpack(message, job); }); });
  if (rank.cache != nullptr) {
    job.capacityBytes = rank.cache->config().capacityBytes;
    job.engine = rank.cache->engineName();
  }
  return job;
}

} // namespace forerun
