// SPDX-License-Identifier: Apache-2.0
#include "driver/Sources.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;

class Sources : public ::testing::Test {
protected:
  Sources() {
    directory = fs::temp_directory_path() / ("forerun-sources-" + std::to_string(::getpid()));
    fs::create_directories(directory);
  }
  ~Sources() override { fs::remove_all(directory); }

  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(directory / name) << text;
    return directory / name;
  }
  /// With these files of the directory, in JSON's form.
  std::string database(const std::vector<std::string> &names) const {
    std::string entries;
    for (const std::string &name : names) {
      entries += entries.empty() ? "" : ",";
      entries.append("{\"directory\": \"").append(directory).append("\", \"file\": \"");
      entries.append(directory / name).append("\", \"arguments\": [\"mpicc\", \"-DNAME=");
      entries.append(name).append("\", \"-c\", \"").append(name).append("\"]}");
    }
    return write("compile_commands.json", "[" + entries + "]");
  }
  /// Names and the flags that follow the compiler, or the error.
  static std::vector<std::string> told(llvm::Expected<Commands> commands) {
    if (!commands)
      return {"error: " + llvm::toString(commands.takeError())};
    std::vector<std::string> result;
    for (const auto &each : *commands)
      result.push_back(fs::path(each.Filename).filename().string() + " " + each.CommandLine.at(1));
    return result;
  }

  fs::path directory;
};

TEST_F(Sources, NamedFilesHaveTheFlagsOfTheCommandLine) {
  const std::string a = write("a.c", ""), b = write("b.c", "");
  EXPECT_THAT(told(sourcesWithFlags({a, b}, {"mpicc", "-O2"})), ElementsAre("a.c -O2", "b.c -O2"));
}

TEST_F(Sources, AFileWithSeveralNamesIsOneSource) {
  const std::string a = write("a.c", ""), other = directory / "." / "a.c", link = directory / "b.c";
  fs::create_symlink(a, link);
  EXPECT_THAT(told(sourcesWithFlags({a, other, link}, {"mpicc", "-O2"})), ElementsAre("a.c -O2"));
  EXPECT_THAT(told(sourcesOfDatabase(database({"a.c", "b.c"}), {})), ElementsAre("a.c -DNAME=a.c"));
}

TEST_F(Sources, WithoutAnySourceTheHelpIsNamed) {
  EXPECT_THAT(told(sourcesWithFlags({}, {"mpicc"})),
              ElementsAre("error: no source is named; see --help"));
}

TEST_F(Sources, AFileThatDoesNotExistIsNamed) {
  EXPECT_THAT(told(sourcesWithFlags({directory / "none.c"}, {"mpicc"})),
              ElementsAre(EndsWith("none.c: there is no such file")));
}

TEST_F(Sources, ADatabaseGivesAllItsCFilesOrThoseThatAreNamed) {
  const std::string file = database({"a.c", "b.c", "x.cpp"});
  write("a.c", "");
  write("b.c", "");
  EXPECT_THAT(told(sourcesOfDatabase(file, {})), ElementsAre("a.c -DNAME=a.c", "b.c -DNAME=b.c"));
  EXPECT_THAT(told(sourcesOfDatabase(directory, {directory / "." / "b.c"})),
              ElementsAre("b.c -DNAME=b.c"));
}

TEST_F(Sources, AFileThatTheDatabaseLacksIsNamed) {
  EXPECT_THAT(told(sourcesOfDatabase(database({"a.c"}), {"b.c"})),
              ElementsAre(EndsWith("compile_commands.json says nothing of b.c")));
}

TEST_F(Sources, ADatabaseWithoutCFilesIsAnError) {
  EXPECT_THAT(told(sourcesOfDatabase(database({"x.cpp"}), {})),
              ElementsAre(EndsWith("compile_commands.json has no C files")));
}

} // namespace
} // namespace forerun::slicer::testing
