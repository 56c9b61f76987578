// SPDX-License-Identifier: Apache-2.0
#include "report/Report.h"
#include "base/Json.h"
#include "measure/Recording.h"
#include "measure/Timeline.h"
#include "report/Trace.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <sstream>
#include <thread>

namespace forerun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

JobFigures someFigures() {
  JobFigures job;
  job.ranks = 4;
  job.engine = "io_uring";
  job.capacityBytes = std::uint64_t{32} << 20;
  job.sum[Figure::Hits] = 75;
  job.sum[Figure::Late] = 15;
  job.sum[Figure::Misses] = 10;
  job.sum[Figure::ReadNs] = 1'000'000'000;
  job.sum[Figure::WithoutNs] = 4'000'000'000;
  job.sum[Figure::UsefulBytes] = 99;
  job.sum[Figure::UselessBytes] = 1;
  job.sum[Figure::RanksRunning] = 3;
  job.sum[Figure::RanksSuspended] = 1;
  job.files["/data/a"].reads = {75, 15, 10};
  return job;
}

TEST(ReportTest, SaysWhatWasHidden) {
  const std::string screen = reportScreen(someFigures());
  EXPECT_THAT(screen, HasSubstr("4 ranks, cache of 32.0 MiB per rank (io_uring)"));
  EXPECT_THAT(screen, HasSubstr("1.000 s"));
  EXPECT_THAT(screen, HasSubstr("about 4.000 s: 75.0 % hidden"));
  EXPECT_THAT(screen, HasSubstr("75.0 % on time, 15.0 % late, 10.0 % from the file system; "
                                "coverage 90.0 %"));
  EXPECT_THAT(screen, HasSubstr("99.0 % of what was fetched ahead was read"));
  EXPECT_THAT(screen, HasSubstr("3 ranks running, 1 rank suspended"));
  EXPECT_THAT(screen, HasSubstr("/data/a"));
}

TEST(ReportTest, SaysWhereThereIsNoBasisForAnEstimate) {
  JobFigures job = someFigures();
  job.sum[Figure::Unknown] = 1;
  EXPECT_THAT(reportScreen(job),
              HasSubstr("1.000 s (0.000-0.000 s per rank); without Forerun "
                        "not known: too few of the reads that it served were made "
                        "once more"));
  EXPECT_THAT(reportScreen(job), Not(HasSubstr("hidden\n")));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("seconds_in_reads_without": null)"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("hidden": null)"));
}

TEST(ReportTest, OfARunThatIsOffSaysSoAndHowLongReadsTook) {
  JobFigures job;
  job.ranks = 2;
  job.sum[Figure::RanksOff] = 2;
  job.sum[Figure::ReadNs] = 1'500'000'000;
  job.sum[Figure::Calls] = 300;
  job.whyOff = "FORERUN is 0";
  EXPECT_EQ(reportScreen(job), "forerun: 2 ranks, off, as without Forerun: FORERUN is 0\n"
                               "  time in reads   1.500 s (0.000-0.000 s per rank) in 300 calls\n");
}

TEST(ReportTest, SaysThatReadsAreNotTimedWithoutThePatchedMpiIo) {
  JobFigures job = someFigures();
  job.sum[Figure::RanksUntimed] = 4;
  EXPECT_THAT(reportScreen(job),
              HasSubstr("  time in reads   not known: 4 ranks without the patched MPI-IO\n"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("seconds_in_reads": null)"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("seconds_in_reads_without": null)"));
}

TEST(ReportTest, FitsOnAScreenWithManyFiles) {
  JobFigures job = someFigures();
  for (int n = 0; n < 100; ++n)
    job.files["/data/" + std::to_string(n)].readNs = 1;
  const std::string screen = reportScreen(job);
  EXPECT_LE(std::count(screen.begin(), screen.end(), '\n'), 24);
  EXPECT_THAT(screen, HasSubstr("and 93 more files"));
}

TEST(ReportTest, ALongPathIsNotCut) {
  JobFigures job = someFigures();
  const std::string path(5000, 'x');
  job.files[path].readNs = 1;
  EXPECT_THAT(reportScreen(job), HasSubstr(path));
  EXPECT_THAT(reportJson(job), HasSubstr(path));
}

TEST(ReportTest, HasFiguresOverTimeOfCallsAndOfLateReadsForMachines) {
  JobFigures job = someFigures();
  job.series.add(500'000, {.reads = {2, 0, 0}});
  job.series.add(2'500'000, {.reads = {0, 0, 1}});
  job.sites[{3, 49, "a.c", "MPI_File_read"}].reads = {1, 2, 3};
  job.lateReads[LatencyHistogram::bucketOf(1000)] = 4;
  const std::string json = reportJson(job);
  EXPECT_THAT(json,
              HasSubstr(R"("over_time": {"interval_ns": 1000000, "reads_on_time": [2, 0, 0])"));
  EXPECT_THAT(json, HasSubstr(R"("reads_missed": [0, 0, 1])"));
  EXPECT_THAT(json, HasSubstr(R"({"site": 3, "file": "a.c", "line": 49, "call": "MPI_File_read", )"
                              R"("reads_on_time": 1, "reads_late": 2, "reads_missed": 3)"));
  EXPECT_THAT(json, HasSubstr(R"("late_read_buckets": [[1023, 4]])"));
}

TEST(ReportTest, SaysWhichRunItIsOfForMachines) {
  JobFigures job = someFigures();
  job.run = {"/home/me/my \"program\"", "2026-11-26T06:40:08Z", 1'250'000'000};
  EXPECT_THAT(reportJson(job), HasSubstr("  \"program\": \"/home/me/my \\\"program\\\"\",\n"
                                         "  \"started\": \"2026-11-26T06:40:08Z\",\n"
                                         "  \"elapsed_seconds\": 1.250000000,\n"
                                         "  \"ranks\": 4,\n"));
}

TEST(ReportTest, BeginsWithItsFormatAndTheVersionForMachines) {
  EXPECT_THAT(reportJson(someFigures()),
              testing::ContainsRegex("^\\{\n  \"format\": 1,\n  \"forerun\": \"[0-9.]+\",\n"));
}

TEST(ReportTest, ThisRunIsOfThisProgram) {
  const RunInfo run = runInfo();
  EXPECT_TRUE(std::filesystem::equivalent(run.program, "/proc/self/exe"));
  EXPECT_THAT(run.started,
              testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_GT(run.elapsedNs, 0U);
  EXPECT_GE(runInfo().elapsedNs, run.elapsedNs);
}

TEST(ReportTest, SaysWhyItIsOff) {
  JobFigures job;
  job.sum[Figure::RanksOff] = 1;
  job.ranks = 2;
  job.whyOff = "no patched MPI-IO is loaded";
  EXPECT_THAT(reportScreen(job), HasSubstr("1 rank off: no patched MPI-IO is loaded"));
  EXPECT_THAT(reportScreen(job), Not(HasSubstr("nan")));
}

TEST(ReportTest, SaysWhatPreExecutionTookOfProcessors) {
  JobFigures job = someFigures();
  EXPECT_THAT(reportScreen(job), Not(HasSubstr("\n  pre-execution ")));
  job.sum[Figure::PreNs] = 30'000'000;
  job.least[Figure::PreNs] = 10'000'000;
  job.most[Figure::PreNs] = 20'000'000;
  EXPECT_THAT(reportScreen(job),
              HasSubstr("  pre-execution   0.030 s of CPU time (0.010-0.020 s per "
                        "rank)\n"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("pre_execution_processor_ns": 30000000)"));
}

TEST(ReportTest, SaysWhatCameFromOthers) {
  JobFigures job = someFigures();
  EXPECT_THAT(reportScreen(job), Not(HasSubstr("from others")));
  job.sum[Figure::ElsewhereHits] = 12;
  job.sum[Figure::ElsewhereBytes] = 12 << 16;
  EXPECT_THAT(reportScreen(job), HasSubstr("  from others     12 pages of reads, 768.0 KiB, which "
                                           "other processes of the node had\n"));
  job.sum[Figure::SavedBytes] = 3 << 20;
  job.most[Figure::BorrowedBytes] = 1 << 20;
  job.sum[Figure::Evictions] = 7;
  EXPECT_THAT(reportScreen(job),
              HasSubstr("  pool            3.0 MiB that another process had or was fetching; up to "
                        "1.0 MiB borrowed per rank; 7 pages evicted\n"));
  EXPECT_THAT(reportScreen(job), Not(HasSubstr("other nodes")));
  job.sum[Figure::PeerBytes] = 5 << 20;
  job.sum[Figure::PeerMessages] = 90;
  job.sum[Figure::PeerPackets] = 20;
  EXPECT_THAT(reportScreen(job), HasSubstr("  other nodes     5.0 MiB came from their caches, and "
                                           "not from the storage; 4.5 messages per packet\n"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("bytes_from_other_nodes": 5242880)"));
  job.files["/data"].fromOthers = 4096;
  EXPECT_THAT(reportJson(job), HasSubstr(R"("bytes_from_others": 4096)"));
}

TEST(ReportTest, SaysWhyPreExecutionEndedEarly) {
  JobFigures job = someFigures();
  EXPECT_THAT(reportScreen(job), Not(HasSubstr("ended early")));
  job.sum[Figure::EndedEarly] = 2;
  EXPECT_THAT(reportScreen(job), HasSubstr("ended early on 2 ranks (FORERUN_DEBUG=1 tells why)\n"));
  job.whyEnded = "the watchdog";
  EXPECT_THAT(reportScreen(job), HasSubstr("; ended early on 2 ranks: the watchdog\n"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("why_ended_early": "the watchdog")"));
}

TEST(ReportTest, SaysWhatPreExecutionCostsBesideTheProgram) {
  JobFigures job = someFigures();
  job.sum[Figure::PreNs] = 30'000'000;
  job.sum[Figure::ProgramNs] = 2'000'000'000;
  EXPECT_THAT(reportScreen(job), HasSubstr(", 1.5 % of the program's\n"));
  job.sum[Figure::Restrained] = 1;
  EXPECT_THAT(reportScreen(job),
              HasSubstr(", 1.5 % of the program's; only where no other thread wanted to run on 1 "
                        "rank, since the slice computes much\n"));
  EXPECT_THAT(reportJson(job), HasSubstr(R"("program_processor_ns": 2000000000)"));
}

TEST(JsonTest, StringsAreEscaped) {
  EXPECT_EQ(jsonString("a\"b\\c\n"), R"("a\"b\\c\u000a")");
  EXPECT_EQ(jsonString("\xc3\xa9"), "\"\xc3\xa9\"");
  EXPECT_EQ(jsonString("a\xff\xc3"), R"("a??")") << "not UTF-8";
  EXPECT_EQ(jsonString("\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf"), R"("?? ??? ????")") << "overlong";
  EXPECT_EQ(jsonString("\xed\xa0\x80\xed\xb0\x80"), R"("??????")") << "surrogates";
  EXPECT_EQ(jsonString("\xf4\x90\x80\x80 \xf5\x80\x80\x80"), R"("???? ????")") << "too far";
  for (const char *good : {"\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(jsonString(good), '"' + std::string(good) + '"');
  EXPECT_EQ(readable("a\nb\x1b[31m\xed\xa0\x80\xc3\xa9"), "a?b?[31m???\xc3\xa9");
}

TimelineEvent fetch(std::uint64_t start, std::uint64_t end) {
  TimelineEvent event;
  event.kind = TimelineEvent::Kind::Prefetch;
  event.startNs = start;
  event.endNs = end;
  return event;
}

TEST(TraceTest, EventsOfOneLaneDoNotOverlapAndLanesAreFew) {
  EXPECT_THAT(assignLanes({fetch(0, 10), fetch(5, 7), fetch(7, 20), fetch(10, 12), fetch(11, 13)}),
              ElementsAre(0, 1, 1, 0, 2));
}

TEST(TraceTest, NamesRankAndLanesAndKeepsNanoseconds) {
  RankTimeline timeline;
  timeline.rank = 3;
  timeline.paths = {"/data/a"};
  timeline.events = {fetch(1'500, 4'250), fetch(2'000, 3'000)};
  std::ostringstream out;
  TraceWriter(out, 1'000).write(timeline);
  EXPECT_THAT(out.str(), HasSubstr("\"rank 3\""));
  EXPECT_THAT(out.str(), HasSubstr("\"fetches 2\""));
  EXPECT_THAT(out.str(), HasSubstr(R"("ts": 0.500, "ph": "X", "dur": 2.750)"));
  EXPECT_THAT(out.str(), HasSubstr(R"("file": "/data/a")"));
}

TEST(TimelineTest, KeepsTheFirstEventsAndCountsTheRest) {
  Timeline timeline;
  std::thread other([&] {
    for (std::size_t n = 0; n < Timeline::kMaxEvents; ++n)
      timeline.add({});
  });
  for (int n = 0; n < 10; ++n)
    timeline.add({});
  other.join();
  EXPECT_EQ(timeline.take().size(), Timeline::kMaxEvents);
  EXPECT_EQ(timeline.lost(), 10U);
}

} // namespace
} // namespace forerun
