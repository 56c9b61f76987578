// SPDX-License-Identifier: Apache-2.0
#include "driver/Outputs.h"
#include "EmitTesting.h"
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace forerun::slicer::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

TEST(OutputsOf, SourcesThatShareANameGetANumber) {
  const Units units = parsed({{"one/a.c", "int f(void);\n"},
                              {"two/a.c", "int g(void);\n"},
                              {"two/b.c", "int h(void);\n"}});
  const auto outputs = outputsOf(units, {"first", "second", "third"}, "/out");
  ASSERT_THAT(outputs,
              ElementsAre(Field(&Output::path, "0-a.c"), Field(&Output::path, "1-a.c"),
                          Field(&Output::path, "b.c"), Field(&Output::path, "outputs.json")));
  EXPECT_EQ(outputs[1].text, "second");
  EXPECT_EQ(outputs[3].text, "{\"one/a.c\":\"/out/0-a.c\",\"two/a.c\":\"/out/1-a.c\","
                             "\"two/b.c\":\"/out/b.c\"}\n");
}

TEST(OutputsOf, NoNumberMakesTheNameOfAnotherSource) {
  const Units units = parsed(
      {{"one/a.c", "int f(void);\n"}, {"two/a.c", "int g(void);\n"}, {"1-a.c", "int h(void);\n"}});
  EXPECT_THAT(outputsOf(units, {"first", "second", "third"}, "/out"),
              ElementsAre(Field(&Output::path, "1-a.c"), Field(&Output::path, "2-a.c"),
                          Field(&Output::path, "3-a.c"), Field(&Output::path, "outputs.json")));
}

TEST(OutputsOf, WhereNothingChangesTheMapIsEmpty) {
  const Units units = parsed({{"a.c", "int f(void);\n"}});
  const auto outputs = outputsOf(units, {}, "/out");
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].text, "{}\n");
}

class Outputs : public ::testing::Test {
protected:
  Outputs() {
    directory = fs::temp_directory_path() / ("forerun-outputs-" + std::to_string(::getpid()));
    fs::create_directories(directory);
  }
  ~Outputs() override { fs::remove_all(directory); }

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

TEST_F(Outputs, AllFilesAreWritten) {
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", "one\n"}, {"sub/b.c", "two\n"}})));
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", "three\n"}})));
  EXPECT_EQ(contents("a.c"), "three\n");
  EXPECT_EQ(contents("sub/b.c"), "two\n");
  EXPECT_EQ(filesBelow(), 2U);
}

TEST_F(Outputs, WhenOneFileCannotBeWrittenNoneIs) {
  ASSERT_FALSE(bool(writeOutputs(directory, {{"a.c", "old\n"}})));
  fs::create_directories(directory / "b.c");
  auto error = writeOutputs(directory, {{"a.c", "new\n"}, {"b.c", "new\n"}});
  EXPECT_THAT(llvm::toString(std::move(error)), HasSubstr("b.c"));
  EXPECT_EQ(contents("a.c"), "old\n");
  EXPECT_EQ(filesBelow(), 1U);
}

/// Compiles with the warnings that a careful user enables.
TEST_F(Outputs, WhatIsNoFileIsWrittenAndStaysWhatItIs) {
  const fs::path pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_FALSE(writeOutputs(directory.string(), {{"pipe", "text"}}));
  std::array<char, 8> read{};
  EXPECT_EQ(::read(reader, read.data(), read.size()), 4);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  // As /dev/stdout is: a link to something without a name.
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  fs::create_symlink("/proc/self/fd/" + std::to_string(ends[1]), directory / "link");
  EXPECT_FALSE(writeOutputs(directory.string(), {{"link", "text"}}));
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 4);
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(Outputs, WhatALinkLeadsToIsWritten) {
  fs::create_directories(directory / "elsewhere");
  fs::create_symlink("elsewhere/a.c", directory / "a.c");
  std::ofstream(directory / "elsewhere" / "a.c") << "old";
  EXPECT_FALSE(writeOutputs(directory.string(), {{"a.c", "new"}}));
  EXPECT_TRUE(fs::is_symlink(directory / "a.c"));
  EXPECT_EQ(contents("elsewhere/a.c"), "new");
  fs::create_symlink("a.c", directory / "b.c");
  fs::remove(directory / "elsewhere" / "a.c"); // nothing is there yet, at the end of two links
  EXPECT_FALSE(writeOutputs(directory.string(), {{"b.c", "newest"}}));
  EXPECT_TRUE(fs::is_symlink(directory / "b.c"));
  EXPECT_TRUE(fs::is_symlink(directory / "a.c"));
  EXPECT_EQ(contents("elsewhere/a.c"), "newest");
}

TEST_F(Outputs, ALinkThatLeadsNowhereForeverIsAnErrorAndStays) {
  fs::create_symlink("a.c", directory / "a.c");
  auto error = writeOutputs(directory.string(), {{"a.c", "text"}});
  EXPECT_THAT(llvm::toString(std::move(error)), HasSubstr("Too many levels of symbolic links"));
  EXPECT_TRUE(fs::is_symlink(directory / "a.c"));
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);
}

TEST_F(Outputs, ANameMayBeAsLongAsAFilesCanBeAndHaveAnyCharacter) {
  const std::string name = std::string(251, 'a') + "%%.c";
  fs::create_directories(directory / "100%");
  EXPECT_FALSE(writeOutputs((directory / "100%").string(), {{name, "text"}}));
  EXPECT_EQ(contents("100%/" + name), "text");
  EXPECT_EQ(filesBelow(), 1U);
}

TEST_F(Outputs, TheUsersCompilerTakesThemWithoutAWarning) {
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
                          planOf(units, slice, "MPI_Finalize").action = CallPlan::Gone{};
                          planOf(units, slice, "fprintf").action = CallPlan::Gone{};
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
