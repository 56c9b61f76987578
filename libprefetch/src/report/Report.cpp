// SPDX-License-Identifier: Apache-2.0
#include "report/Report.h"

#include "base/Gather.h"
#include "base/Json.h"
#include "base/Message.h"
#include "base/OutputFile.h"
#include "courier/Courier.h"
#include "report/Shares.h"
#include "report/Trace.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <iostream>
#include <utility>
#include <vector>

namespace forerun {
namespace {

constexpr std::size_t kFilesOnScreen = 8;

[[gnu::format(printf, 1, 2)]] std::string format(const char *pattern, ...) {
  std::array<char, 512> line{};
  std::va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(line.data(), line.size(), pattern, arguments);
  va_end(arguments);
  return line.data();
}

std::string bytesText(std::uint64_t bytes) {
  static constexpr std::array<const char *, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit)
    amount /= 1024;
  return format(unit == 0 ? "%.0f %s" : "%.1f %s", amount, kUnits[unit]);
}

std::string durationText(std::uint64_t ns) {
  const auto time = static_cast<double>(ns);
  return ns < 1'000'000 ? format("%.0f us", time / 1e3) : format("%.2f ms", time / 1e6);
}

std::string secondsText(std::uint64_t ns) { return format("%.3f", seconds(ns)); }

unsigned long long number(const FigureSet &set, Figure figure) { return set[figure]; }

/// Whether FORERUN is 0, on all ranks: the program has run as with the stock library.
bool isOff(const JobFigures &job) {
  return job.sum[Figure::RanksOff] == static_cast<std::uint64_t>(job.ranks);
}

std::string headLine(const JobFigures &job) {
  std::string line = format("forerun: %d rank%s", job.ranks, job.ranks == 1 ? "" : "s");
  if (isOff(job))
    line += ", off, as without Forerun: " + job.whyOff;
  if (!job.engine.empty())
    line += ", cache of " + bytesText(job.capacityBytes) + " per rank (" + job.engine + ")";
  if (job.sum[Figure::PeakBytes] != 0)
    line += ", at most " + bytesText(job.most[Figure::PeakBytes]) + " used";
  return line + "\n";
}

/// The time without Forerun, of a run with it.
std::string withoutText(const FigureSet &sum) {
  if (sum[Figure::Unknown] != 0)
    return "; without Forerun not known: too few of the reads that it served were made once more "
           "at the close of their file\n";
  const std::uint64_t without = sum[Figure::WithoutNs];
  return format("; without Forerun about %.3f s: %.1f %% hidden\n", seconds(without),
                percent(hiddenNs(sum[Figure::ReadNs], without), without));
}

std::string timeLine(const JobFigures &job) {
  const FigureSet &sum = job.sum;
  if (sum[Figure::RanksUntimed] != 0)
    return format("  time in reads   not known: %llu rank%s without the patched MPI-IO\n",
                  number(sum, Figure::RanksUntimed), sum[Figure::RanksUntimed] == 1 ? "" : "s");
  return format("  time in reads   %.3f s (%.3f-%.3f s per rank)", seconds(sum[Figure::ReadNs]),
                seconds(job.least[Figure::ReadNs]), seconds(job.most[Figure::ReadNs])) +
         (isOff(job) ? format(" in %llu calls\n", number(sum, Figure::Calls)) : withoutText(sum));
}

std::string readLines(const JobFigures &job) {
  const FigureSet &sum = job.sum;
  const std::uint64_t reads = sum[Figure::Hits] + sum[Figure::Late] + sum[Figure::Misses];
  const std::uint64_t bytes =
      sum[Figure::HitBytes] + sum[Figure::LateBytes] + sum[Figure::MissBytes];
  return format("  reads           %llu: %.1f %% on time, %.1f %% late, %.1f %% from the file "
                "system; coverage %.1f %%\n",
                static_cast<unsigned long long>(reads), percent(sum[Figure::Hits], reads),
                percent(sum[Figure::Late], reads), percent(sum[Figure::Misses], reads),
                percent(sum[Figure::Hits] + sum[Figure::Late], reads)) +
         format("  bytes read      %s: %.1f %% on time, %.1f %% late, %.1f %% from the file "
                "system\n",
                bytesText(bytes).c_str(), percent(sum[Figure::HitBytes], bytes),
                percent(sum[Figure::LateBytes], bytes), percent(sum[Figure::MissBytes], bytes));
}

std::string prefetchLines(const JobFigures &job) {
  const FigureSet &sum = job.sum;
  const std::uint64_t ahead = sum[Figure::UsefulBytes] + sum[Figure::UselessBytes];
  const auto latency = [&](double share) {
    return durationText(LatencyHistogram::percentile(job.fetchLatency, share));
  };
  std::string lines =
      format(
          "  issued          %llu prefetches, %s; %llu skipped late, %llu deferred (pending write "
          "or sync), %llu dropped\n",
          number(sum, Figure::Announced), bytesText(sum[Figure::AnnouncedBytes]).c_str(),
          number(sum, Figure::SkippedLate), number(sum, Figure::Parked),
          number(sum, Figure::Dropped)) +
      format("  blocking        %llu synchronous reads by the pre-execution thread, for data that "
             "the slice needs\n",
             number(sum, Figure::PrivateReads)) +
      format("  fetched         %llu requests, %s; %llu failed, %llu invalidated by a write or a "
             "close\n",
             number(sum, Figure::Fetches), bytesText(sum[Figure::FetchedBytes]).c_str(),
             number(sum, Figure::FailedFetches), number(sum, Figure::StaleFetches));
  if (sum[Figure::Predictions] != 0)
    lines +=
        format("  predicted       %llu forwarded values; %llu wrong, and %llu prefetches withdrawn "
               "for that\n",
               number(sum, Figure::Predictions), number(sum, Figure::WrongPredictions),
               number(sum, Figure::Withdrawn));
  if (ahead != 0)
    lines += format("  accuracy        %.1f %% of what was fetched ahead was read; %s useless\n",
                    percent(sum[Figure::UsefulBytes], ahead),
                    bytesText(sum[Figure::UselessBytes]).c_str());
  if (sum[Figure::ElsewhereHits] != 0)
    lines +=
        format("  from others     %llu pages of reads, %s, which other processes of the node had\n",
               number(sum, Figure::ElsewhereHits), bytesText(sum[Figure::ElsewhereBytes]).c_str());
  if (sum[Figure::PeerPackets] != 0)
    lines += format("  other nodes     %s came from their caches, and not from the storage; %.1f "
                    "messages per packet\n",
                    bytesText(sum[Figure::PeerBytes]).c_str(),
                    static_cast<double>(sum[Figure::PeerMessages]) /
                        static_cast<double>(sum[Figure::PeerPackets]));
  if (sum[Figure::ElsewhereHits] + sum[Figure::SavedBytes] + sum[Figure::BorrowedBytes] != 0)
    lines +=
        format("  pool            %s that another process had or was fetching; up to %s borrowed "
               "per rank; %llu pages evicted\n",
               bytesText(sum[Figure::SavedBytes]).c_str(),
               bytesText(job.most[Figure::BorrowedBytes]).c_str(), number(sum, Figure::Evictions));
  if (sum[Figure::Fetches] != 0)
    lines += "  fetch latency   p50 " + latency(0.5) + ", p90 " + latency(0.9) + ", p99 " +
             latency(0.99) + ", max " + latency(1) + "\n";
  return lines;
}

std::string stateLine(const JobFigures &job) {
  static constexpr std::array kStates = {
      std::pair{Figure::RanksRunning, "running"},
      std::pair{Figure::RanksSuspended, "suspended (storage is as fast as memory)"},
      std::pair{Figure::RanksStopped, "stopped (what was prefetched was not read)"},
      std::pair{Figure::RanksWithoutPreExecution, "without pre-execution"},
      std::pair{Figure::RanksWithoutCache, "without a file in the cache"},
      std::pair{Figure::RanksOff, "off"}};
  std::string line;
  for (const auto &[figure, text] : kStates)
    if (job.sum[figure] != 0)
      line += (line.empty() ? "" : ", ") + format("%llu rank%s %s", number(job.sum, figure),
                                                  job.sum[figure] == 1 ? "" : "s", text);
  line = "  prefetching     " + line;
  if (job.sum[Figure::Suspensions] != 0)
    line += format("; %llu suspensions", number(job.sum, Figure::Suspensions));
  return line + (job.whyOff.empty() ? "" : ": " + job.whyOff) + "\n";
}

std::string preExecutionLine(const JobFigures &job) {
  const FigureSet &sum = job.sum;
  if (sum[Figure::PreNs] == 0 && sum[Figure::EndedEarly] == 0)
    return {};
  std::string line = format("  pre-execution   %.3f s of CPU time (%.3f-%.3f s per rank)",
                            seconds(sum[Figure::PreNs]), seconds(job.least[Figure::PreNs]),
                            seconds(job.most[Figure::PreNs]));
  if (sum[Figure::ProgramNs] != 0)
    line +=
        format(", %.1f %% of the program's", percent(sum[Figure::PreNs], sum[Figure::ProgramNs]));
  if (sum[Figure::Restrained] != 0)
    line += format("; only where no other thread wanted to run on %llu rank%s, since the slice "
                   "computes much",
                   number(sum, Figure::Restrained), sum[Figure::Restrained] == 1 ? "" : "s");
  if (sum[Figure::EndedEarly] != 0)
    line += format("; ended early on %llu rank%s", number(sum, Figure::EndedEarly),
                   sum[Figure::EndedEarly] == 1 ? "" : "s") +
            (job.whyEnded.empty() ? " (FORERUN_DEBUG=1 tells why)" : ": " + job.whyEnded);
  return line + "\n";
}

std::string fileLines(const JobFigures &job) {
  if (job.files.empty())
    return {};
  std::string lines = "  file               reads   on time %    late %        bytes    seconds "
                      "  hidden s  path\n";
  const auto files = byTime(job.files);
  const std::size_t shown = std::min(files.size(), kFilesOnScreen);
  for (std::size_t n = 0; n < shown; ++n) {
    const auto &[path, figures] = files[n];
    const std::uint64_t reads = figures.allReads();
    lines +=
        format("  %22llu %11.1f %9.1f %12s %10.3f %10s  ", static_cast<unsigned long long>(reads),
               percent(figures.reads[0], reads), percent(figures.reads[1], reads),
               bytesText(figures.allBytes()).c_str(), seconds(figures.readNs),
               figures.unknown != 0
                   ? "-"
                   : secondsText(hiddenNs(figures.readNs, figures.withoutNs)).c_str()) +
        readable(path) + "\n";
  }
  if (files.size() > shown)
    lines += format("  and %zu more files\n", files.size() - shown);
  return lines;
}

void print(const JobFigures &job, const std::string &target) {
  if (target == "1") {
    std::cerr << reportScreen(job) << std::flush;
    return;
  }
  OutputFile file(target);
  file << reportJson(job);
  if (!file.finish())
    (Message() << "the report cannot be written to " << target << ": " << file.reason()).write();
}

} // namespace

std::string reportScreen(const JobFigures &job) {
  if (isOff(job))
    return headLine(job) + timeLine(job);
  return headLine(job) + timeLine(job) + readLines(job) + prefetchLines(job) + stateLine(job) +
         preExecutionLine(job) + fileLines(job);
}

void reportAtFinalize(const RankSource &source, const Options &options, MPI_Comm world) {
  int rank = 0;
  PMPI_Comm_rank(world, &rank);
  if (options.report != "0") {
    const JobFigures job = gather(source, world);
    if (rank == 0)
      orNothing([&] { print(job, options.report); });
  }
  if (!options.trace.empty())
    writeTrace(source.courier.recording(), options.trace, world);
}

} // namespace forerun
