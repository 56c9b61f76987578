// SPDX-License-Identifier: Apache-2.0
#include "slice/Analysis.h"
#include "ParseText.h"
#include "emit/Emit.h"
#include "report/Html.h"
#include "report/Summary.h"

#include <gmock/gmock.h>

/// \file
/// What the analysis reports: reasons, limits, the page.

namespace forerun::slicer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char *kProgram = R"(#include <mpi.h>
#include <pthread.h>
static MPI_File fh; static int buf[8];
struct job { long at; double sum; };
static void get(long at) {
  MPI_File_read_at(fh, at, buf, 8, MPI_INT, MPI_STATUS_IGNORE);
}
static void *work(void *unused) {
  MPI_File_read_at(fh, 1, buf, 1, MPI_INT, MPI_STATUS_IGNORE);
  return unused;
}
void unused(void) {
  MPI_File_read_at(fh, 2, buf, 2, MPI_INT, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv) {
  struct job job = {argc, 0};
  pthread_t thread;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "f<g>", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  pthread_create(&thread, NULL, work, NULL);
  job.sum = buf[0];
  get(job.at);
  pthread_join(thread, NULL);
  MPI_File_close(&fh);
  MPI_Finalize();
  return 0;
}
)";

class Reports : public ::testing::Test {
protected:
  void SetUp() override { parse(kProgram); }

  void parse(const char *program) { units_ = parsed({{"a.c", program}}); }

  std::string printed(const Analysis &analysis) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printSummary(summary(analysis, units_), out);
    return text;
  }

  Analysis analysed(const Analysis::Limits &limits = {}, Closure::Options options = {}) {
    Analysis analysis(units_, Models::builtIn(), {}, limits);
    analysis.take(std::move(options));
    return analysis;
  }

  Units units_;
};

TEST_F(Reports, AReadThatAThreadOfTheProgramMakesIsLeftOutForThatReason) {
  const std::string text = printed(analysed());
  EXPECT_THAT(text, HasSubstr("a.c:6:3: MPI_File_read_at: prefetched"));
  EXPECT_THAT(
      text,
      HasSubstr("a.c:9:3: MPI_File_read_at: left out: its function is run by pthread_create"));
}

TEST_F(Reports, AReadThatIsNotSeenToBeCalledIsLeftOutForThatReason) {
  EXPECT_THAT(printed(analysed()),
              HasSubstr("a.c:13:3: MPI_File_read_at: left out: its function is "
                        "not called where the slicer sees it"));
}

TEST_F(Reports, AReadOfAFunctionThatIsNotUsedIsLeftOutForThatReason) {
  parse(R"(#include <mpi.h>
static MPI_File fh; static char c;
static inline void ofAHeader(void) { MPI_File_read_at(fh, 1, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE); }
static void handler(int number) { MPI_File_read_at(fh, number, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE); }
__attribute__((constructor)) static void early(void) {
  MPI_File_read_at(fh, 2, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE);
}
void elsewhere(void (*)(int));
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  elsewhere(handler);
  return MPI_Finalize();
}
)");
  const std::string text = printed(analysed());
  EXPECT_THAT(text, HasSubstr("a.c:3:38: MPI_File_read_at: left out: its function is not used"));
  EXPECT_THAT(text,
              Not(HasSubstr("a.c:4:35: MPI_File_read_at: left out: its function is not used")));
  EXPECT_THAT(text,
              Not(HasSubstr("a.c:6:3: MPI_File_read_at: left out: its function is not used")));
}

TEST_F(Reports, ACallWithoutTextIsLeftOutForThatReason) {
  const Analysis whole = analysed();
  Closure::Options options;
  for (const Call &call : whole.program().calls)
    if (call.name == "MPI_File_read_at")
      options.leftOut.insert(call.expr);
  EXPECT_THAT(printed(analysed({}, options)),
              HasSubstr("a.c:6:3: MPI_File_read_at: left out: no text can be written for it"));
}

TEST_F(Reports, WhatIsDoneWithAFileThatIsNotReadAnyMoreIsLeftOutForThatReason) {
  EXPECT_THAT(
      printed(analysed()),
      HasSubstr("a.c:24:3: MPI_File_close: left out: nothing is read from this file after it"));
}

TEST_F(Reports, WhenTheBudgetIsOverNothingIsInTheSlice) {
  const Analysis analysis = analysed({PointsTo::Fields::ToldApart, Budget(0)});
  EXPECT_FALSE(analysis.isComplete());
  EXPECT_EQ(analysis.slice().main, nullptr);
  const std::string text = printed(analysis);
  EXPECT_THAT(text, HasSubstr("left out: the analysis took too long"));
  EXPECT_THAT(text, HasSubstr("slice: 0 of "));
}

TEST_F(Reports, WithStructuresAsOneTheSliceHasAllItNeedsAndMore) {
  const auto kept = [&](const Analysis &analysis) {
    return summary(analysis, units_).getInteger("kept").value_or(0);
  };
  const Analysis coarse = analysed({PointsTo::Fields::AsOne, Budget()});
  EXPECT_TRUE(coarse.isComplete());
  EXPECT_THAT(printed(coarse), HasSubstr("a.c:6:3: MPI_File_read_at: prefetched"));
  EXPECT_GT(kept(coarse), kept(analysed()));
}

TEST_F(Reports, ThePageMarksLinesAndCallsAndLoadsNothing) {
  const std::string page = html(analysed(), units_);
  EXPECT_THAT(page, HasSubstr("<h2>a.c</h2>"));
  EXPECT_THAT(page, HasSubstr("<div class=\"line kept\" id=\"f0-22\">"));
  EXPECT_THAT(page, HasSubstr("<div class=\"line\" id=\"f0-21\">"));
  EXPECT_THAT(page, HasSubstr("<span class=\"mark read\">MPI_File_read_at: prefetched</span>"));
  EXPECT_THAT(page, HasSubstr("; 1 of 3 reads will be prefetched."));
  EXPECT_THAT(page, HasSubstr("&quot;f&lt;g&gt;&quot;"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
}

TEST_F(Reports, JumpsBackAndHandlersOfSignalsAreSaidToBeLeftOut) {
  parse(R"(#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
static jmp_buf again; static volatile sig_atomic_t stop;
static void onSignal(int number) { stop = number; }
int main(int argc, char **argv) {
  MPI_File fh; char c;
  MPI_Init(&argc, &argv);
  signal(SIGUSR1, onSignal);
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  int start = setjmp(again);
  for (int i = start; i < 9 && !stop; i++)
    MPI_File_read_at(fh, i, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE);
  if (c == 'x')
    longjmp(again, 1);
  return MPI_Finalize();
}
)");
  const std::string text = printed(analysed());
  EXPECT_THAT(text, HasSubstr("a.c:9:3: note: the handler is left out: "));
  EXPECT_THAT(text, HasSubstr("a.c:11:15: note: a jump back to here is left out: "));
}

TEST_F(Reports, AnMpiInitOfTheProgramStaysAndWhatItCallsIsReplaced) {
  parse(R"(#include <mpi.h>
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }
int main(int argc, char **argv) {
  MPI_File fh; char c;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  for (int i = 0; i < 9; i++) MPI_File_read_at(fh, i, &c, 1, MPI_CHAR, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
)");
  const Analysis analysis = analysed();
  std::vector<EmitProblem> problems;
  const std::string text = emitUnits(units_, analysis.slice(), problems)[0];
  EXPECT_THAT(problems, ::testing::IsEmpty());
  EXPECT_THAT(text, HasSubstr("\n  MPI_Init(&argc, &argv);\n"));
  EXPECT_THAT(text, HasSubstr("{ return forerun_main_start(main__pre, 2, "
                              "forerun_main_PMPI_Init(argc, argv)); }"));
}

} // namespace
} // namespace forerun::slicer::testing
