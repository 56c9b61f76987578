// SPDX-License-Identifier: Apache-2.0
#include "driver/Driver.h"
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// What a run made of a program, without the analysis.
struct Made {
  bool isDone = false, isComplete = false;
  std::vector<std::string> texts;
  std::string messages;
  std::vector<Written> written;
};

/// The program is `before`, and a main that opens `file`.
Made made(const std::string &before, const std::string &body, const DriverOptions &options = {}) {
  const Units units = parsed({{"a.c", "#include <mpi.h>\nstatic MPI_File file;\n"
                                      "static int data[9];\n" +
                                          before +
                                          "int main(int argc, char **argv) {\n"
                                          "  MPI_Init(&argc, &argv);\n"
                                          "  MPI_File_open(MPI_COMM_SELF, argv[0], "
                                          "MPI_MODE_RDONLY, MPI_INFO_NULL, &file);\n" +
                                          body + "  return MPI_Finalize();\n}\n"}});
  Made result;
  const Models models = Models::builtIn();
  llvm::raw_string_ostream messages(result.messages);
  auto sliced = sliceProgram(units, models, {}, options, messages);
  result.isDone = true;
  result.isComplete = sliced.analysis->isComplete();
  result.texts = std::move(sliced.texts);
  result.written = std::move(sliced.written);
  return result;
}

constexpr const char *kRead = "  MPI_File_read_at(file, 4, data, 1, MPI_INT, MPI_STATUS_IGNORE);\n";

/// A macro that contains half of a call: no text can be inserted around it.
constexpr const char *kHalves = "#define BEGIN if (1) MPI_File_read_at(\n"
                                "#define END file, 8, data, 1, MPI_INT, MPI_STATUS_IGNORE); else\n";

/// Attempts at the analysis, the first of which may take no step at all.
struct Attempts {
  std::vector<std::uint64_t> asked; ///< steps
  DriverOptions options(std::size_t over) {
    DriverOptions result;
    result.budget = 8;
    result.give = [this, over](std::uint64_t steps) {
      asked.push_back(steps);
      return asked.size() <= over ? Budget(0) : Budget();
    };
    return result;
  }
};

TEST(Driver, ACallThatCannotBeWrittenIsLeftOutWithAWarningAndTheRestStays) {
  const Made result = made(kHalves, std::string(kRead) + "  BEGIN END { data[1] = 2; }\n");
  ASSERT_THAT(result.texts, SizeIs(1));
  EXPECT_THAT(result.messages, HasSubstr("a.c:10:3: warning: the call is put together by several "
                                         "macros; the call is left out of pre-execution\n"));
  EXPECT_THAT(result.texts[0], AllOf(HasSubstr("forerun_pre_read_at(1, file__pre, 4, 1, "),
                                     HasSubstr("\n  BEGIN END { data[1] = 2; }\n"),
                                     Not(HasSubstr("forerun_pre_read_at(2"))));
}

TEST(Driver, AProgramAllOfWhoseReadsCannotBeWrittenIsNotRefused) {
  const Made result = made(kHalves, "  BEGIN END { data[1] = 2; }\n");
  EXPECT_TRUE(result.isDone);
  EXPECT_THAT(result.messages, HasSubstr("the call is left out of pre-execution"));
  EXPECT_THAT(result.messages, Not(HasSubstr("error")));
}

TEST(Driver, AStatementThatCannotBeWrittenEndsPreExecution) {
  const std::string body = "  size = argc;\n" + std::string(kRead) +
                           "  int rows[size], others[size];\n  rows[0] = size;\n"
                           "  MPI_File_read_at(file, rows[0], data, 1, MPI_INT, "
                           "MPI_STATUS_IGNORE);\n  others[0] = 1;\n";
  const Made result = made("static int size;\n", body);
  EXPECT_EQ(result.messages,
            "a.c:10:7: warning: an array whose size is computed cannot be declared "
            "apart from its neighbours; the statement is left out of "
            "pre-execution\n");
  ASSERT_THAT(result.texts, SizeIs(1));
  EXPECT_THAT(result.texts[0],
              AllOf(HasSubstr("  forerun_pre_read_at(1, file__pre, 4, 1, MPI_INT);\n"
                              "  forerun_pre_end(\"it reached line 10 of a.c, where it cannot go "
                              "on\");\n}"),
                    HasSubstr("\n  rows[0] = size;\n")));
  EXPECT_TRUE(compiles({{"a.c", result.texts[0]}}));
}

TEST(Driver, WhatTheCompilerRefusesIsLeftOutByItsLine) {
  const std::string body = "  int at = argc;\n  at += 3;\n"
                           "  MPI_File_read_at(file, at, data, 1, MPI_INT, MPI_STATUS_IGNORE);\n";
  const Made all = made("", body);
  ASSERT_THAT(all.texts, SizeIs(1));
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(all.texts[0]).split(lines, '\n');
  std::vector<std::string> found;
  for (const Written &each : all.written)
    if (each.file == "a.c" && each.line == 9)
      found.push_back(lines[each.at - 1].str());
  EXPECT_THAT(found, ElementsAre("  forerun_pre_read_at(1, file__pre, at, 1, MPI_INT);"));
  DriverOptions options;
  options.dropped = {{.file = "a.c", .line = 8}};
  const Made dropped = made("", body, options);
  ASSERT_THAT(dropped.texts, SizeIs(1));
  EXPECT_EQ(llvm::StringRef(dropped.texts[0]).count("at += 3"), 1U);
  EXPECT_THAT(dropped.texts[0], HasSubstr("forerun_pre_read_at(1, file__pre, at, "));
  options.ended = options.dropped;
  EXPECT_THAT(made("", body, options).texts.at(0),
              HasSubstr("forerun_pre_end(\"it reached line 8 of a.c"));
}

TEST(Driver, WhatOneMacroMakesIsInTheSliceTogether) {
  const Made result = made("#define READ(at) do { (MPI_File_read_at)(file, at, data, 1, MPI_INT, "
                           "MPI_STATUS_IGNORE); } while (0)\nvoid unused(void) { READ(1); }\n",
                           "  READ(2);\n");
  EXPECT_EQ(result.messages, "");
  ASSERT_THAT(result.texts, SizeIs(1));
  EXPECT_THAT(result.texts[0], HasSubstr("do { forerun_main_done(0, (MPI_File_read_at)(file, at,"));
}

TEST(Driver, WhatOneMacroMakesIsLeftOutTogetherWhereItCannotBeInTheSlice) {
  const Made result = made("#include <time.h>\n#define LATER ((time)(0) + 1)\nlong other(long);\n",
                           "  other(LATER);\n" + std::string(kRead) +
                               "  MPI_File_read_at(file, LATER % 7, data, 1, MPI_INT, "
                               "MPI_STATUS_IGNORE);\n");
  EXPECT_TRUE(result.isDone);
  EXPECT_THAT(result.messages, HasSubstr("warning: a macro makes this call"));
  ASSERT_THAT(result.texts, SizeIs(1));
  EXPECT_THAT(result.texts[0], HasSubstr("forerun_pre_read_at("));
}

TEST(Driver, TheFirstAttemptHasHalfOfTheBudget) {
  Attempts attempts;
  const Made result = made("", kRead, attempts.options(0));
  EXPECT_TRUE(result.isComplete);
  EXPECT_EQ(result.messages, "");
  EXPECT_THAT(attempts.asked, ElementsAre(4'000'000));
}

TEST(Driver, AnAnalysisThatTakesTooLongIsFollowedByACoarserOne) {
  Attempts attempts;
  const Made result = made("", kRead, attempts.options(1));
  EXPECT_TRUE(result.isComplete);
  EXPECT_THAT(result.texts, SizeIs(1));
  EXPECT_EQ(result.messages, "forerun-slice: warning: the analysis takes more than half of its 8 "
                             "million steps: it goes on "
                             "without telling members of structures apart (see --budget)\n");
  EXPECT_THAT(attempts.asked, ElementsAre(4'000'000, 2'000'000));
}

TEST(Driver, TheCoarsestAnalysisLooksAtTheFunctionsThatLeadToMpiIo) {
  Attempts attempts;
  const Made result = made("static long twice(long n) { return n * 2; }\n",
                           "  MPI_File_read_at(file, twice(argc), data, 1, MPI_INT, "
                           "MPI_STATUS_IGNORE);\n",
                           attempts.options(2));
  EXPECT_TRUE(result.isComplete);
  EXPECT_THAT(result.messages,
              HasSubstr("warning: the analysis takes more than three quarters of "
                        "its 8 million steps: it goes on with only the functions that lead "
                        "to reads; what others compute is forwarded"));
  ASSERT_THAT(result.texts, SizeIs(1));
  EXPECT_THAT(result.texts[0], Not(HasSubstr("twice__pre")));
  EXPECT_THAT(attempts.asked, ElementsAre(4'000'000, 2'000'000, 2'000'000));
}

TEST(Driver, WhenNoAttemptIsDoneInItsBudgetTheProgramIsLeftAsItIs) {
  Attempts attempts;
  const Made result = made("", kRead, attempts.options(3));
  EXPECT_TRUE(result.isDone);
  EXPECT_FALSE(result.isComplete);
  EXPECT_THAT(result.texts, IsEmpty());
  EXPECT_THAT(
      result.messages,
      HasSubstr(
          "warning: the analysis takes more than 8 million steps: the program is left as it is, "
          "without pre-execution (see --budget)\n"));
  EXPECT_THAT(attempts.asked, SizeIs(3));
}

TEST(Driver, TheSameProgramTakesTheSameSteps) {
  const auto leastSteps = [] {
    const auto suffices = [](std::uint64_t steps) {
      DriverOptions options;
      std::size_t given = 0;
      options.give = [&](std::uint64_t) { return given++ == 0 ? Budget(steps) : Budget(0); };
      return made("", kRead, options).isComplete;
    };
    std::uint64_t tooFew = 0, enough = 1'000'000;
    EXPECT_TRUE(suffices(enough));
    while (enough - tooFew > 1) {
      const std::uint64_t between = (tooFew + enough) / 2;
      (suffices(between) ? enough : tooFew) = between;
    }
    return enough;
  };
  const std::uint64_t steps = leastSteps();
  EXPECT_GT(steps, 1U);
  EXPECT_EQ(leastSteps(), steps);
}

TEST(Driver, TheLastResortIsATimeAfterWhichNoCoarserSliceFollows) {
  std::size_t given = 0;
  DriverOptions options;
  options.give = [&](std::uint64_t steps) {
    ++given;
    return Budget(steps, std::chrono::minutes(-1));
  };
  const Made result = made("", kRead, options);
  EXPECT_TRUE(result.isDone);
  EXPECT_EQ(given, 1U);
  EXPECT_THAT(result.texts, IsEmpty());
  EXPECT_EQ(result.messages,
            "forerun-slice: warning: the analysis takes more than 30 minutes of CPU time: "
            "the program is left as it is, without pre-execution\n");
}

TEST(Driver, WithoutMpiInitAmongTheSourcesTheProgramIsLeftAsItIs) {
  const Made result = made("int start(int *argc, char ***argv);\n#define MPI_Init start\n", kRead);
  EXPECT_TRUE(result.isComplete);
  EXPECT_THAT(result.texts, IsEmpty());
  EXPECT_EQ(result.messages,
            "forerun-slice: warning: no call of MPI_Init is among the sources, where pre-execution "
            "would start: the program is left as it is\n");
}

TEST(Driver, OneWarningSaysOfAProgramThatReadsThatNothingIsAnnounced) {
  const Made unused = made("void unused(void) {\n" + std::string(kRead) + kRead + "}\n", "");
  EXPECT_EQ(unused.messages,
            "forerun-slice: warning: no read of the program is prefetched: a.c:5: "
            "MPI_File_read_at: its function is not called where the slicer sees it\n");
  const Made shared =
      made("", "  MPI_File_read_shared(file, data, argc, MPI_INT, MPI_STATUS_IGNORE);\n");
  EXPECT_EQ(shared.messages, "forerun-slice: warning: no read of the program is prefetched: a.c:7: "
                             "MPI_File_read_shared: it uses the shared file pointer\n");
  const Made lost = made("", "  void *how = (void *)MPI_File_read;\n  ((int (*)(void))how)();\n");
  EXPECT_EQ(lost.messages,
            "forerun-slice: warning: no read of the program is prefetched: it is not "
            "known where a pointer to MPI_File_read is called\n");
}

TEST(Driver, AMacroThatMakesATextOfAReadIsReportedOnce) {
  const std::string macros = "#include <stdio.h>\n"
                             "#define TRY(x) ({ int r_ = (x); if (r_) puts(#x); r_; })\n"
                             "#define CHECK(x) do { int e_ = (x); if (e_) puts(#x); } while (0)\n";
  const Made result = made(macros, "  CHECK(TRY(MPI_File_read_at(file, data[0], data, 1, MPI_INT, "
                                   "MPI_STATUS_IGNORE)));\n"
                                   "  if (data[0]) MPI_File_seek(file, data[0], MPI_SEEK_SET);\n"
                                   "  MPI_File_read_shared(file, data, data[0], MPI_INT, "
                                   "MPI_STATUS_IGNORE);\n");
  EXPECT_EQ(result.messages,
            "a.c:10:3: warning: a macro makes a text of the call, which has to stay as it is; the "
            "call is left out of pre-execution\n"
            "forerun-slice: warning: no read of the program is prefetched: a.c:10: "
            "MPI_File_read_at: pre-execution ends at it\n");
}

TEST(Driver, OfAProgramThatDoesNotReadNothingIsSaid) {
  EXPECT_EQ(made("", "  MPI_File_write(file, data, 1, MPI_INT, MPI_STATUS_IGNORE);\n").messages,
            "");
  EXPECT_EQ(made("", kRead).messages, "");
}

TEST(Driver, SourcesWithoutMainAreLeftAsTheyAreWithoutAWord) {
  const Made result = made("#define main notMain\n", kRead);
  EXPECT_TRUE(result.isComplete);
  EXPECT_THAT(result.texts, IsEmpty());
  EXPECT_EQ(result.messages, "");
}

TEST(Driver, ValuesComeFromWhereFilesAreOpenedIfTheRunAllows) {
  const std::string computed = "  int at = 0;\n  for (int i = 0; i < argc; i++)\n    at += i;\n"
                               "  MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDONLY, "
                               "MPI_INFO_NULL, &file);\n  MPI_File_read_at(file, at, data, 1, "
                               "MPI_INT, MPI_STATUS_IGNORE);\n";
  DriverOptions strict;
  strict.handOver = false;
  const Made relaxed = made("", computed), exact = made("", computed, strict);
  ASSERT_THAT(relaxed.texts, SizeIs(1));
  ASSERT_THAT(exact.texts, SizeIs(1));
  EXPECT_THAT(relaxed.texts[0], HasSubstr("forerun_main_forward("));
  EXPECT_THAT(exact.texts[0], Not(HasSubstr("forerun_main_forward(")));
}

TEST(Driver, GeneratorsThatTheSliceDoesNotSeedAreForwardedAtAnOpen) {
  const std::string includes = "#include <stdlib.h>\n";
  const std::string drawn =
      "  MPI_File_read_at(file, rand(), data, 1, MPI_INT, MPI_STATUS_IGNORE);\n";
  const Made draws = made(includes, drawn), seeds = made(includes, "  srand(1);\n" + drawn),
             neither = made(includes, kRead);
  ASSERT_THAT(draws.texts, SizeIs(1));
  EXPECT_THAT(draws.texts[0],
              AllOf(HasSubstr("forerun_main_generators(0, forerun_main_done(0, MPI_File_open("),
                    HasSubstr("forerun_pre_generators(0, forerun_pre_open_file(0, &file__pre));")));
  for (const Made &other : {seeds, neither}) {
    ASSERT_THAT(other.texts, SizeIs(1));
    EXPECT_THAT(other.texts[0], Not(HasSubstr("_generators(")));
  }
}

TEST(Driver, WhatSteersALoopIsHandedOverUnlessTheRunDoesWithoutThat) {
  const std::string steered =
      "  double mine[1] = {0}, all = 1;\n"
      "  MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);\n"
      "  for (int at = 0; all > 0.1; at++) {\n"
      "    MPI_File_read_at(file, at, mine, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);\n"
      "    for (int i = 0; i < 3; i++)\n      mine[0] += i;\n"
      "    MPI_Allreduce(mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);\n  }\n";
  DriverOptions strict;
  strict.predict = false;
  const Made relaxed = made("", steered), exact = made("", steered, strict);
  ASSERT_THAT(relaxed.texts, SizeIs(1));
  ASSERT_THAT(exact.texts, SizeIs(1));
  EXPECT_THAT(relaxed.texts[0], HasSubstr("at = 0; forerun_main_condition("));
  EXPECT_THAT(relaxed.texts[0], HasSubstr(", !!(all > 0.1)); at++"));
  EXPECT_THAT(relaxed.texts[0], HasSubstr("at = 0; forerun_pre_condition("));
  EXPECT_THAT(exact.texts[0], Not(HasSubstr("at = 0; forerun_")));
}

} // namespace
} // namespace forerun::slicer::testing
