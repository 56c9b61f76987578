// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Emit, WhatHasExternalLinkageIsSharedAndStaticsAreNot) {
  auto result = emitted(Files{{"a.c", R"(
#include "shared.h"
static int counter = 1;
static int next(void) { return counter++; }
int shared;
int f(int n) { return next() + g(n) + shared + table[n](n); }
)"},
                              {"b.c", R"(
#include "shared.h"
static int counter = 2;
static int next(void) { return counter--; }
int g(int n) { return next() + shared; }
int (*table[2])(int) = { g, f };
)"},
                              {"shared.h", "extern int shared;\nextern int (*table[])(int);\n"
                                           "int f(int n);\nint g(int);\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones("a.c"), HasSubstr(R"(static int next__pre(void) FORERUN_PRE_CLONE;
int f__pre(int n) FORERUN_PRE_CLONE;
int g__pre(int) FORERUN_PRE_CLONE;
extern int (*table__pre[])(int);
static int counter__pre = 1;
int shared__pre;
)"));
  EXPECT_THAT(result.clones("b.c"), HasSubstr(R"(static int next__pre(void) FORERUN_PRE_CLONE;
int g__pre(int n) FORERUN_PRE_CLONE;
int f__pre(int n) FORERUN_PRE_CLONE;
extern int shared__pre;
static int counter__pre = 2;
int (*table__pre[2])(int) = { g__pre, f__pre };
)"));
}

TEST(Emit, AHeadersFunctionIsClonedInEachUnitThatCallsIt) {
  Files files{{"a.c", "#include \"h.h\"\nint f(int n) { return twice(n); }\n"},
              {"b.c", "#include \"h.h\"\nint g(int n) { return n; }\n"},
              {"h.h", "static inline int once(int n) { return n; }\n"
                      "static inline int twice(int n) { return once(n) + once(n); }\n"}};
  auto result = emitted(files);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones("a.c"),
              AllOf(HasSubstr("\nstatic inline int twice__pre(int n) {\n"
                              "  return once__pre(n) + once__pre(n);\n}\n"),
                    HasSubstr("\nstatic inline int once__pre(int n) {\n  return n;\n}\n")));
  EXPECT_THAT(result.clones("b.c"), Not(HasSubstr("once")));
  EXPECT_EQ(result.texts.at("h.h"), files.at("h.h"));
}

TEST(Emit, TheStartMayBeInAnotherUnitThanMain) {
  auto result =
      emitted(Files{{"a.c", "void start(int *, char ***);\n"
                            "int main(int argc, char **argv) {\n  start(&argc, &argv);\n}\n"},
                    {"b.c", "#include <mpi.h>\n"
                            "void start(int *argc, char ***argv) {\n"
                            "  int level;\n"
                            "  MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &level);\n}\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own("b.c"),
              AllOf(HasSubstr("int main__pre(int argc, char **argv);\n#line 2 \"b.c\"\n"),
                    HasSubstr("  forerun_main_start(main__pre, 0, forerun_main_MPI_Init_thread("
                              "argc, argv, MPI_THREAD_SINGLE, &level));\n")));
}

} // namespace
} // namespace forerun::slicer::testing
