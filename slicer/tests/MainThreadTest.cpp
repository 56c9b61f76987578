// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(MainThread, TheMainThreadTellsTheRuntimeAboutItsStartAndItsCalls) {
  auto result = emitted(R"(/* A program. */
#define _GNU_SOURCE
#include <mpi.h>

static int lines = __LINE__;

/* Reads. */
static void fetch(MPI_File fh, int *buf) {
  int rc = MPI_File_read(fh, buf, 1, MPI_INT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_File fh;
  int buf;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); fetch(fh, &buf);
  return MPI_Finalize();
}
)");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_EQ(result.own(), R"(/* A program. */
#define _GNU_SOURCE
#include <mpi.h>

static int lines = __LINE__;

/* Reads. */
static void fetch(MPI_File fh, int *buf) {
  int rc = forerun_main_done(0, MPI_File_read(fh, buf, 1, MPI_INT, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) { forerun_main_begin(argc, argv); forerun_main_without_mpi();
  MPI_File fh;
  int buf;
  forerun_main_start(main__pre, 2, forerun_main_MPI_Init(&argc, &argv));
  forerun_main_done(1, MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &fh)); fetch(fh, &buf);
  return MPI_Finalize();
}
)");
}

TEST(MainThread, AUnitWithoutInsertionsStaysAsItWas) {
  std::string text = "static int f(int n) { return n; }\nint g(void) { return f(1); }";
  auto result = emitted(text, [](const Units &, Slice &slice) { slice = Slice(); });
  EXPECT_EQ(result.texts.at("a.c"), text);
}

TEST(MainThread, LinesAndFilesKeepTheNamesThatTheProgramGaveThem) {
  auto result = emitted(R"(#include <mpi.h>
#line 100 "dir\\generated.y"
int before; __attribute__((unused)) static
void fetch(MPI_File fh) {
  MPI_File_read(fh, 0, 0, MPI_INT, MPI_STATUS_IGNORE);
}
_Static_assert(__LINE__ == 104, "");
)");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(), HasSubstr("#line 100 \"dir\\\\generated.y\"\n"
                                      "int before; __attribute__((unused)) static\n"
                                      "void fetch(MPI_File fh) {\n"));
}

TEST(MainThread, ACallInTheArgumentOfAMacroIsWrappedWhereItIsWritten) {
  auto result = emitted(R"(
#include <mpi.h>
#include <stdlib.h>
#define CHECK(call) do { int rc = (call); if (rc != MPI_SUCCESS) exit(rc); } while (0)
int main(int argc, char **argv) {
  MPI_File fh;
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
  CHECK(MPI_File_close(&fh));
}
)");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(
      result.own(),
      AllOf(HasSubstr("  CHECK(forerun_main_start(main__pre, 2, forerun_main_MPI_Init(&argc, "
                      "&argv)));\n"),
            HasSubstr("  CHECK(forerun_main_done(0, MPI_File_open(MPI_COMM_WORLD, \"x\", "
                      "MPI_MODE_RDONLY, MPI_INFO_NULL, &fh)));\n"),
            HasSubstr("  CHECK(forerun_main_done(1, MPI_File_close(&fh)));\n")));
}

TEST(MainThread, AMacroThatPrintsTheTextOfACallPrintsWhatItDidBefore) {
  auto result = emitted(R"(
#include <mpi.h>
#include <assert.h>
#define CHECK(call) do { if ((call) != MPI_SUCCESS) fail(#call, __LINE__); } while (0)
void fail(const char *, int);
int main(int argc, char **argv) {
  MPI_File fh;
  CHECK(MPI_Init(&argc, &argv)); CHECK(MPI_Barrier(MPI_COMM_WORLD));
  assert(MPI_File_open(MPI_COMM_WORLD, "x",
                       MPI_MODE_RDONLY, MPI_INFO_NULL, &fh) == 0);
  return __LINE__;
}
)");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(), HasSubstr(R"(
#define MPI_Init(...) forerun_main_start(main__pre, 1, forerun_main_MPI_Init(__VA_ARGS__))
#line 8 "a.c"
CHECK(MPI_Init(&argc, &argv))
#undef MPI_Init
#line 8 "a.c"
; CHECK(MPI_Barrier(MPI_COMM_WORLD));
  
#define MPI_File_open(...) forerun_main_done(0, MPI_File_open(__VA_ARGS__))
#line 9 "a.c"
assert(MPI_File_open(MPI_COMM_WORLD, "x",
                       MPI_MODE_RDONLY, MPI_INFO_NULL, &fh) == 0)
#undef MPI_File_open
#line 10 "a.c"
;
  return __LINE__;
)"));
}

TEST(MainThread, ACallThatIsAllOfAMacroIsWrappedWhereTheMacroIsUsed) {
  auto result = emitted(R"(
#include <mpi.h>
#define READ(b) MPI_File_read(fh, b, 1, MPI_INT, MPI_STATUS_IGNORE)
#define OPEN MPI_File_open
void f(MPI_File fh, int *p) {
  if (READ(p) || READ(p + 1))
    OPEN(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
}
)");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(
      result.own(),
      AllOf(
          HasSubstr("  if (forerun_main_done(0, READ(p)) || forerun_main_done(1, READ(p + 1)))\n"),
          HasSubstr("    forerun_main_done(2, OPEN(MPI_COMM_WORLD, \"x\", MPI_MODE_RDONLY, "
                    "MPI_INFO_NULL, &fh));\n")));
}

TEST(MainThread, ACallInTheMiddleOfAMacroIsWrappedOnceInItsDefinition) {
  auto result = emitted(R"(
#include <mpi.h>
#include <stdlib.h>
int input(int *a);
#define READ(b, n) do { if (MPI_File_read(fh, b, n, MPI_INT, MPI_STATUS_IGNORE)) exit(1); } while (0)
#define GET(x) do { n = input(&x) + 1; } while (0)
void f(MPI_File fh, int *p) {
  int n, m;
  READ(p, 1);
  READ(p + 1, 2);
  GET(n);
  GET(m);
}
)",
                        [](const Units &units, Slice &slice) {
                          actionOf<CallPlan::Receive>(units, slice, "input", 0).forwarded = {{0}};
                          actionOf<CallPlan::Receive>(units, slice, "input", 1).forwarded = {{0}};
                        });
  for (const auto &problem : result.problems)
    ADD_FAILURE() << problem.message;
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(
      result.own(),
      AllOf(HasSubstr("#define READ(b, n) do { if (forerun_main_done(0, MPI_File_read(fh, b, n, "
                      "MPI_INT, MPI_STATUS_IGNORE))) exit(1); } while (0)\n"),
            HasSubstr(
                "#define GET(x) do { n = __extension__({ void *__forerun_argument0 = (void *)(&x); "
                "__auto_type __forerun_value = input(&x); "
                "forerun_main_forward(1, __forerun_argument0, sizeof *(&x)); "
                "__forerun_value; }) + 1; } while (0)\n"),
            HasSubstr("  READ(p, 1);\n  READ(p + 1, 2);\n  GET(n);\n")));
  EXPECT_THAT(result.clones(), AllOf(HasSubstr("forerun_pre_read(0, fh, 1, "),
                                     HasSubstr("forerun_pre_read(0, fh, 2, "),
                                     HasSubstr("forerun_pre_receive(1, &n, sizeof *(&n)); "),
                                     HasSubstr("forerun_pre_receive(1, &m, sizeof *(&m)); ")));
}

constexpr const char *kTwoReads = R"(
#include <mpi.h>
#define READ(p) do { MPI_File_read(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE); } while (0)
void f(MPI_File fh, int *p) {
  READ(p);
  READ(p + 1);
}
)";
/// In brackets, the name of the function cannot be made a macro.
constexpr const char *kTwoReadsInBrackets = R"(
#include <mpi.h>
#define READ(p) do { (MPI_File_read)(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE); } while (0)
void f(MPI_File fh, int *p) {
  READ(p);
  READ(p + 1);
}
)";

TEST(MainThread, CallsOfOneMacroWithSeveralSitesAreEditedInEachUse) {
  const auto apart = [](const Units &units, Slice &slice) {
    planOf(units, slice, "MPI_File_read", 1).site = 5;
  };
  const auto result = emitted(kTwoReads, apart);
  EXPECT_THAT(result.problems, SizeIs(0));
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(),
              AllOf(HasSubstr("#define READ(p) do { MPI_File_read(fh, "),
                    HasSubstr("#define MPI_File_read(...) forerun_main_done(0, "
                              "MPI_File_read(__VA_ARGS__))\n#line 5 \"a.c\"\nREAD(p)\n"),
                    HasSubstr("#define MPI_File_read(...) forerun_main_done(5, "
                              "MPI_File_read(__VA_ARGS__))\n#line 6 \"a.c\"\nREAD(p + 1)\n")));
  const auto reported = emitted(kTwoReadsInBrackets, apart);
  ASSERT_EQ(reported.problems.size(), 2U);
  EXPECT_EQ(reported.problems[0].message, "a macro makes several calls with different sites here");
  EXPECT_NE(reported.problems[0].call, nullptr);
}

TEST(MainThread, ACallWithoutASiteInAMacroWithOneStaysAsItIs) {
  const auto without = [](const Units &units, Slice &slice) {
    planOf(units, slice, "MPI_File_read", 1).site = -1;
  };
  const auto result = emitted(kTwoReads, without);
  EXPECT_THAT(result.problems, SizeIs(0));
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(), AllOf(HasSubstr("\n#undef MPI_File_read\n#line 5 \"a.c\"\n;\n"
                                            "  READ(p + 1);\n")));
  const auto reported = emitted(kTwoReadsInBrackets, without);
  ASSERT_EQ(reported.problems.size(), 1U);
  EXPECT_THAT(reported.problems[0].message,
              StartsWith("a macro makes this call, which has no site"));
}

TEST(MainThread, AMacroThatCallsWhatItIsGivenAndNamesItIsUsedAsBefore) {
  const auto result = emitted(R"(#include <mpi.h>
#define CALL(f, ...) check(f(__VA_ARGS__), #f, __LINE__)
#define IO(op, ...) CALL(MPI_File_##op, __VA_ARGS__)
#define TWICE(x) do { x; x; } while (0)
int check(int rc, const char *name, int line);
void f(MPI_File fh, int *p) {
  CALL(MPI_File_read, fh, p, 1, MPI_INT, MPI_STATUS_IGNORE);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  IO(seek, fh, 0, MPI_SEEK_SET);
  TWICE(CALL(MPI_File_read, fh, p, 1, MPI_INT, MPI_STATUS_IGNORE));
}
int main(int argc, char **argv) {
  CALL(MPI_Init, &argc, &argv);
}
)",
                              [](const Units &units, Slice &slice) {
                                planOf(units, slice, "MPI_File_read", 2).site =
                                    planOf(units, slice, "MPI_File_read", 1).site;
                              });
  for (const auto &problem : result.problems)
    ADD_FAILURE() << problem.message;
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(
      result.own(),
      AllOf(HasSubstr("#define CALL(f, ...) check(f(__VA_ARGS__), #f, __LINE__)\n"),
            HasSubstr("#line 7 \"a.c\"\nCALL(MPI_File_read, fh, p, 1, MPI_INT, "
                      "MPI_STATUS_IGNORE)\n#undef MPI_File_read\n"),
            HasSubstr(";\n  CALL(MPI_Barrier, MPI_COMM_WORLD);\n"),
            HasSubstr("MPI_File_seek(__VA_ARGS__))\n#line 9 \"a.c\"\nIO(seek, "),
            HasSubstr("\nTWICE(CALL(MPI_File_read, fh, p, 1, MPI_INT, MPI_STATUS_IGNORE))\n"),
            HasSubstr("forerun_main_MPI_Init(__VA_ARGS__))\n#line 13 \"a.c\"\nCALL(MPI_Init, ")));
  EXPECT_THAT(result.clones(), HasSubstr("check(forerun_pre_read(0, fh, 1, "));
}

TEST(MainThread, WhatATypeofNamesIsNotCalled) {
  const auto result = emitted(
      R"(
#include <mpi.h>
#define SAFE(call) ({ __typeof__(call) rc_ = (call); rc_; })
int f(MPI_File fh, int *p) {
  return SAFE(MPI_File_read(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE));
}
)",
      [](const Units &units, Slice &slice) { // of what typeof names, the analysis knows nothing
        slice.plans.erase(callOf(units, "MPI_File_read", 0));
        planOf(units, slice, "MPI_File_read", 1).site = 0;
      });
  EXPECT_THAT(result.problems, SizeIs(0));
  EXPECT_TRUE(result.compiles);
}

TEST(MainThread, ACallThatIsOnlyMeasuredNeedsNoSite) {
  auto result = emitted(
      R"(
#include <mpi.h>
#define CHECK(x) ((void)sizeof(x), (x) == 0 || (puts(#x), 0))
int puts(const char *);
void f(MPI_File fh, int *p) {
  CHECK(MPI_File_read(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE));
}
)",
      [](const Units &units, Slice &slice) {
        slice.plans.erase(callOf(units, "MPI_File_read", 0));
        planOf(units, slice, "MPI_File_read", 1).site = 0;
      });
  EXPECT_THAT(result.problems, SizeIs(0));
  EXPECT_TRUE(result.compiles);
}

TEST(MainThread, TheNameOfAFunctionIsAMacroWithinAMacroThatHasOnlyTheName) {
  auto result = emitted(R"(#include <mpi.h>
#define TRACE(f) error = f
#define NAMED(f, arguments) { name = #f; error = f arguments; }
int g(MPI_File fh, int *p) {
  int error;
  const char *name;
  TRACE(MPI_File_read)(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE);
  NAMED(MPI_File_sync, (fh))
  return error + *name;
}
int main(int argc, char **argv) {
  int error;
  TRACE(MPI_Init)(&argc, &argv);
  return error;
}
)");
  EXPECT_THAT(result.problems, SizeIs(0));
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(
      result.own(),
      AllOf(
          HasSubstr("#define MPI_File_read(...) forerun_main_done(0, MPI_File_read(__VA_ARGS__))\n"
                    "#line 7 \"a.c\"\n"
                    "TRACE(MPI_File_read)(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE)\n"
                    "#undef MPI_File_read\n#line 7 \"a.c\"\n;"),
          HasSubstr("NAMED(MPI_File_sync, (fh))\n#undef MPI_File_sync"),
          HasSubstr("#define MPI_Init(...) forerun_main_start(main__pre, 2, "
                    "forerun_main_MPI_Init(__VA_ARGS__))\n")));
}

TEST(MainThread, ACallInASystemHeaderIsReported) {
  auto result =
      emitted(Files{{"a.c", "#include \"h.h\"\nvoid g(MPI_File fh) { f(fh); }\n"},
                    {"h.h", "#pragma GCC system_header\n#include <mpi.h>\n"
                            "static inline void f(MPI_File fh) { MPI_File_sync(fh); }\n"}},
              [](const Units &units, Slice &slice) {
                slice.plans[callOf(units, "MPI_File_sync")] = {CallPlan::Io{"MPI_File_sync"},
                                                               slice.sites++};
              });
  ASSERT_EQ(result.problems.size(), 1U);
  EXPECT_EQ(result.problems[0].message, "the call is in a system header, which is not changed");
}

TEST(MainThread, ACallPutTogetherByTwoMacrosIsReported) {
  auto result = emitted(R"(
#include <mpi.h>
#define BEGIN if (1) MPI_File_read(
#define END fh, p, 1, MPI_INT, MPI_STATUS_IGNORE); else
void f(MPI_File fh, int *p) {
  BEGIN END
  return;
}
)");
  ASSERT_FALSE(result.problems.empty());
  EXPECT_EQ(result.problems[0].message, "the call is put together by several macros");
}

} // namespace
} // namespace forerun::slicer::testing
