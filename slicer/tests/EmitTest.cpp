// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace forerun::slicer::testing {
namespace {

namespace fs = std::filesystem;
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
  EXPECT_THAT(result.clones("a.c"), HasSubstr(R"(static int next__pre(void);
int f__pre(int n);
int g__pre(int);
extern int (*table__pre[])(int);
static int counter__pre = 1;
int shared__pre;
)"));
  EXPECT_THAT(result.clones("b.c"), HasSubstr(R"(static int next__pre(void);
int g__pre(int n);
int f__pre(int n);
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

class EmitOutputs : public ::testing::Test {
protected:
  EmitOutputs() {
    directory = fs::temp_directory_path() / ("forerun-emit-" + std::to_string(::getpid()));
    fs::create_directories(directory);
  }
  ~EmitOutputs() override { fs::remove_all(directory); }

  std::string contents(const std::string &name) const {
    std::ifstream in(directory / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t filesBelow() const {
    size_t files = 0;
    for (const auto &entry : fs::recursive_directory_iterator(directory))
      files += entry.is_regular_file() ? 1 : 0;
    return files;
  }

  fs::path directory;
};

TEST_F(EmitOutputs, AllFilesAreWritten) {
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", "one\n"}, {"sub/b.c", "two\n"}})));
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", "three\n"}})));
  EXPECT_EQ(contents("a.c"), "three\n");
  EXPECT_EQ(contents("sub/b.c"), "two\n");
  EXPECT_EQ(filesBelow(), 2U);
}

TEST_F(EmitOutputs, WhenOneFileCannotBeWrittenNoneIs) {
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", "old\n"}})));
  fs::create_directories(directory / "b.c");
  auto error = writeOutputs(directory, {{"a.c", "new\n"}, {"b.c", "new\n"}});
  EXPECT_THAT(llvm::toString(std::move(error)), HasSubstr("b.c"));
  EXPECT_EQ(contents("a.c"), "old\n");
  EXPECT_EQ(filesBelow(), 1U);
}

/// With the compiler and the warnings of a careful user.
TEST_F(EmitOutputs, TheUsersCompilerTakesThemWithoutAWarning) {
  auto result = emitted(R"(#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) do { int rc_ = (call); if (rc_ != MPI_SUCCESS) { \
  fprintf(stderr, "line %d\n", __LINE__); /* out */ exit(rc_); } } while (0)

struct record { int next; double weight; };
static struct record *records;
static int limit = 4;
int input(const char *name);
int input(const char *name) { return atoi(name); }

static double work(const struct record *r, int n) {
  double sum = 0; // out
  for (int i = 0; i < n; i++) // out
    sum += r[i].weight; // out
  return sum; // bare
}

static int step(MPI_File fh, int at) {
  MPI_Status status; // out
  int result = 0, unused; // out
  switch (at) {
  case 0:
    limit++; // out
  /* fall through */
  case 1:
    at = 2;
    break;
  default:
    result = 3; // out
  }
  CHECK(MPI_File_read_at(fh, at * (MPI_Offset)sizeof *records, &records[at], 1, MPI_INT, MPI_STATUS_IGNORE));
  if (work(records, at) > 3)
    printf("%d\n", at);
  else if (at > limit)
    goto out;
  return records[at].next;
out:
  return -1;
}

int main(int argc, char **argv) {
  MPI_File fh;
  int at = 0, size; // no value
  CHECK(MPI_Init(&argc, &argv));
  size = input(argv[1]);
  records = malloc((size_t)size * sizeof *records);
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &fh) != MPI_SUCCESS) {
    printf("no file\n");
    return 1;
  }
  for (at = 0; at >= 0; )
    at = step(fh, at);
  MPI_File_close(&fh);
  free(records); // out
  return MPI_Finalize(); // bare
}
)",
                        [](const Units &units, Slice &slice) {
                          planOf(units, slice, "MPI_Finalize").action = CallPlan::Action::Gone;
                          planOf(units, slice, "fprintf").action = CallPlan::Action::Gone;
                        });
  for (const auto &problem : result.problems)
    ADD_FAILURE() << problem.message;
  ASSERT_TRUE(result.compiles) << result.clones();
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", result.texts.at("a.c")}})));
  std::string command = "cd '" + directory.string() +
                        "' && " FORERUN_TEST_MPICC
                        " -O2 -Wall -Wextra -Wshadow -Wmissing-prototypes -Werror"
                        " -Wno-error=unused -Wno-unused -I " FORERUN_TEST_INCLUDE " -c a.c";
  EXPECT_EQ(std::system(command.c_str()), 0) << result.texts.at("a.c");
}

} // namespace
} // namespace forerun::slicer::testing
