// SPDX-License-Identifier: Apache-2.0
#include "base/OutputFile.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace forerun {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

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
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const fs::directory_entry &each : fs::directory_iterator(folder))
      found.push_back(each.path().filename());
    return found;
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
    if (fs::read_symlink(each.path(), gone).string().find(folder) != 0)
      continue;
    isFound = true;
    EXPECT_NE(fcntl(std::stoi(each.path().filename()), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_TRUE(isFound);
}

TEST_F(OutputFileTest, SaysWhyItCouldNotBeWritten) {
  OutputFile nowhere(folder / "no" / "such" / "file");
  nowhere << "report";
  EXPECT_FALSE(nowhere.finish());
  EXPECT_STREQ(nowhere.reason(), "No such file or directory");
  OutputFile full("/dev/full");
  full << "report";
  EXPECT_FALSE(full.finish());
  EXPECT_STREQ(full.reason(), "No space left on device");
  OutputFile lacking(folder / "short");
  lacking << "report";
  lacking.fail(ENOMEM);
  EXPECT_FALSE(lacking.finish());
  EXPECT_STREQ(lacking.reason(), "Cannot allocate memory");
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(OutputFileTest, WhatWasThereStaysUntilAllIsWritten) {
  std::ofstream(folder / "file") << "old";
  {
    OutputFile abandoned(folder / "file");
    abandoned << std::string(100'000, 'n') << std::flush;
    EXPECT_EQ(contentOf("file"), "old");
  }
  EXPECT_EQ(contentOf("file"), "old");
  EXPECT_THAT(names(), ElementsAre("file"));
  OutputFile file(folder / "file");
  file << "new";
  EXPECT_TRUE(file.finish());
  EXPECT_EQ(contentOf("file"), "new");
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(OutputFileTest, HasANameAsLongAsOneCanBe) {
  const std::string name(255, 'n');
  OutputFile file(folder / name);
  file << "report";
  EXPECT_TRUE(file.finish()) << file.reason();
  EXPECT_THAT(names(), ElementsAre(name));
}

TEST_F(OutputFileTest, NoFileIsThereOfAProcessThatWasKilledWhileItWrote) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    OutputFile file(folder / "file");
    file << std::string(100'000, 'n') << std::flush;
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_FALSE(fs::exists(folder / "file"));
}

TEST_F(OutputFileTest, ALimitOfTheSizeOfFilesIsAnErrorAndNoSignal) {
  std::ofstream(folder / "file") << "old";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  OutputFile file(folder / "file");
  file << std::string(100'000, 'n');
  const bool isWritten = file.finish();
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(isWritten);
  EXPECT_STREQ(file.reason(), "File too large");
  EXPECT_EQ(contentOf("file"), "old");
  EXPECT_THAT(names(), ElementsAre("file"));
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
}

TEST_F(OutputFileTest, AFileThatMayNotBeWrittenIsNotReplaced) {
  std::ofstream(folder / "file") << "old";
  fs::permissions(folder / "file", fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(folder, fs::perms::all);
  const uid_t self = geteuid();
  if (self == 0) {
    constexpr uid_t kNobody = 65534;
    ASSERT_EQ(seteuid(kNobody), 0); // root may write all files
  }
  OutputFile file(folder / "file");
  file << "new";
  EXPECT_FALSE(file.finish());
  EXPECT_STREQ(file.reason(), "Permission denied");
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_EQ(contentOf("file"), "old");
}

} // namespace
} // namespace forerun
