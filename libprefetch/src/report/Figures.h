// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/LatencyHistogram.h"
#include "measure/ReadStats.h"
#include "measure/Series.h"
#include "measure/SiteReads.h"
#include "report/RunInfo.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mpi.h>
#include <string>

/// \file
/// The figures of a rank, and of the whole job: what the report shows. One list defines the index
/// and the name of each.

namespace forerun {

class Courier;
class Cache;

#define FORERUN_FIGURES(X)                                                                         \
  X(Hits, "reads_on_time")                                                                         \
  X(Late, "reads_late")                                                                            \
  X(Misses, "reads_missed")                                                                        \
  X(HitBytes, "bytes_on_time")                                                                     \
  X(LateBytes, "bytes_late")                                                                       \
  X(MissBytes, "bytes_missed")                                                                     \
  X(ReadNs, "read_ns")                                                                             \
  X(WithoutNs, "read_ns_without")                                                                  \
  X(Unknown, "files_without_estimate")                                                             \
  X(Calls, "read_calls")                                                                           \
  X(Again, "reads_made_again")                                                                     \
  X(Announced, "announced_calls")                                                                  \
  X(AnnouncedBytes, "announced_bytes")                                                             \
  X(SkippedLate, "skipped_late_calls")                                                             \
  X(Parked, "parked")                                                                              \
  X(Dropped, "dropped")                                                                            \
  X(PrivateReads, "private_reads")                                                                 \
  X(Synchronisations, "synchronisations")                                                          \
  X(Predictions, "predictions")                                                                    \
  X(WrongPredictions, "wrong_predictions")                                                         \
  X(Withdrawn, "withdrawn_calls")                                                                  \
  X(Fetches, "fetches")                                                                            \
  X(FetchedBytes, "fetched_bytes")                                                                 \
  X(FailedFetches, "failed_fetches")                                                               \
  X(StaleFetches, "stale_fetches")                                                                 \
  X(UsefulBytes, "useful_bytes")                                                                   \
  X(UselessBytes, "useless_bytes")                                                                 \
  X(ElsewhereHits, "pages_from_others")                                                            \
  X(ElsewhereBytes, "bytes_from_others")                                                           \
  X(SavedBytes, "bytes_left_to_others")                                                            \
  X(PeerBytes, "bytes_from_other_nodes")                                                           \
  X(PeerMessages, "messages_to_other_nodes")                                                       \
  X(PeerPackets, "packets_to_other_nodes")                                                         \
  X(Evictions, "pages_evicted")                                                                    \
  X(PeakBytes, "peak_cache_bytes")                                                                 \
  X(BorrowedBytes, "borrowed_cache_bytes")                                                         \
  X(Suspensions, "suspensions")                                                                    \
  X(RanksRunning, "ranks_running")                                                                 \
  X(RanksSuspended, "ranks_suspended")                                                             \
  X(RanksStopped, "ranks_stopped")                                                                 \
  X(RanksWithoutPreExecution, "ranks_without_pre_execution")                                       \
  X(RanksWithoutCache, "ranks_without_cache")                                                      \
  X(RanksOff, "ranks_off")                                                                         \
  X(RanksUntimed, "ranks_untimed")                                                                 \
  X(PreNs, "pre_execution_processor_ns")                                                           \
  X(ProgramNs, "program_processor_ns")                                                             \
  X(Restrained, "pre_execution_restrained")                                                        \
  X(EndedEarly, "pre_execution_ended_early")

enum class Figure : std::size_t {
#define X(name, text) name,
  FORERUN_FIGURES(X)
#undef X
      Count
};

constexpr auto kFigures = static_cast<std::size_t>(Figure::Count);
const char *figureName(std::size_t figure);

struct FigureSet {
  std::array<std::uint64_t, kFigures> values{};

  std::uint64_t &operator[](Figure figure) { return values[static_cast<std::size_t>(figure)]; }
  std::uint64_t operator[](Figure figure) const { return values[static_cast<std::size_t>(figure)]; }
};

struct JobFigures {
  RunInfo run; ///< rank 0's
  int ranks = 1;
  FigureSet sum, least, most; ///< over the ranks
  LatencyHistogram::Counts fetchLatency{}, lateReads{};
  std::map<std::string, ReadFigures> files; ///< by path, summed over the ranks
  std::map<CallPlace, ReadFigures> sites;   ///< likewise
  IntervalFigures series;                   ///< likewise, each rank's since its own start
  std::uint64_t capacityBytes = 0;          ///< of a rank's cache
  std::string engine;                       ///< empty if rank 0 had no cache
  std::string whyOff;                       ///< rank 0's; empty while on
  std::string whyEnded;                     ///< rank 0's pre-execution thread, if it ended early
};

/// The sources of one rank's figures.
struct RankSource {
  Courier &courier;
  const Cache *cache; ///< null if none was made
  bool enabled;
  bool timed;                                          ///< read calls are
  bool launched;                                       ///< it had a pre-execution thread
  std::uint64_t predictions = 0, wrongPredictions = 0; ///< of its pre-execution thread
  std::uint64_t preNs;  ///< processor time of its pre-execution thread
  bool restrained;      ///< that ran only when no other thread wanted to, since it cost much
  const char *whyOff;   ///< why nothing ran ahead; empty: something did, or nobody asked for it
  const char *whyEnded; ///< why the pre-execution thread ended early; empty: it did not
};

FigureSet figuresOf(const RankSource &rank);

/// Collective. Complete on rank 0.
JobFigures gather(const RankSource &rank, MPI_Comm world);

} // namespace forerun
