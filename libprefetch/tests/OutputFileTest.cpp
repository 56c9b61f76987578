// SPDX-License-Identifier: Apache-2.0
#include "base/OutputFile.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/stat.h>

namespace forerun {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
  OutputFileTest() {
    std::string name = (fs::temp_directory_path() / "forerun-output.XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~OutputFileTest() override { fs::remove_all(folder); }
  std::string contentOf(const char *name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path folder;
};

TEST_F(OutputFileTest, HoldsWhatWasWrittenAndNothingOfBefore) {
  const std::string much(100'000, 'm');
  std::ofstream(folder / "file") << std::string(200'000, 'o');
  OutputFile file(folder / "file");
  file << much << 42 << '\n';
  EXPECT_TRUE(file.finish());
  EXPECT_EQ(contentOf("file"), much + "42\n");
}

TEST_F(OutputFileTest, IsNotWrittenThroughASymbolicLink) {
  std::ofstream(folder / "anothers") << "precious";
  fs::create_symlink(folder / "anothers", folder / "link");
  fs::create_symlink(folder / "made", folder / "dangling");
  for (const char *name : {"link", "dangling"}) {
    OutputFile file(folder / name);
    file << "report";
    EXPECT_FALSE(file.finish()) << name;
  }
  EXPECT_EQ(contentOf("anothers"), "precious");
  EXPECT_FALSE(fs::exists(folder / "made"));
}

TEST_F(OutputFileTest, ANamedPipeThatNobodyReadsIsAnError) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  OutputFile file(folder / "pipe");
  file << "report";
  EXPECT_FALSE(file.finish());
}

TEST_F(OutputFileTest, IsNotInheritedByOtherPrograms) {
  const OutputFile file(folder / "file");
  bool isFound = false;
  for (const fs::directory_entry &each : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone; // the directory's own
    if (fs::read_symlink(each.path(), gone) != folder / "file")
      continue;
    isFound = true;
    EXPECT_NE(fcntl(std::stoi(each.path().filename()), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_TRUE(isFound);
}

TEST_F(OutputFileTest, SaysThatItCouldNotBeWritten) {
  OutputFile nowhere(folder / "no" / "such" / "file");
  nowhere << "report";
  EXPECT_FALSE(nowhere.finish());
  OutputFile full("/dev/full");
  full << "report";
  EXPECT_FALSE(full.finish());
}

} // namespace
} // namespace forerun
