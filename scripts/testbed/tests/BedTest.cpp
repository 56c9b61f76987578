// SPDX-License-Identifier: Apache-2.0
// A real mount, made by the real command. Skipped where FUSE is not available.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Result {
  int status;
  std::string output;
};

Result shell(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  Result result{-1, {}};
  std::array<char, 512> chunk{};
  while (fgets(chunk.data(), chunk.size(), pipe) != nullptr)
    result.output += chunk.data();
  result.status = WEXITSTATUS(pclose(pipe));
  return result;
}

class Bed : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "testbed-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    fs::create_directory(root_ / "backing");
    fs::create_directory(root_ / "mount");
    if (access("/dev/fuse", R_OK | W_OK) != 0)
      GTEST_SKIP() << "no FUSE here";
  }

  void TearDown() override {
    bed("stop " + mount().string());
    fs::remove_all(root_);
  }

  static Result bed(const std::string &arguments) {
    return shell(std::string(FORERUN_TESTBED) + " " + arguments);
  }
  Result start(const std::string &options = "--latency 0 --service 0") {
    return bed("start " + options + " " + backing().string() + " " + mount().string());
  }
  fs::path backing() const { return root_ / "backing"; }
  fs::path mount() const { return root_ / "mount"; }
  fs::path none() const { return root_ / "none"; }
  fs::path control() const { return mount() / ".forerun-testbed"; }

  std::map<std::string, std::string> state() const {
    std::map<std::string, std::string> entries;
    std::ifstream text(control());
    std::string key, value;
    while (text >> key && std::getline(text >> std::ws, value))
      entries[key] = value;
    return entries;
  }

  bool command(const std::string &line) const {
    std::ofstream file(control());
    file << line << '\n';
    file.close();
    return !file.fail();
  }

  void put(const std::string &name, const std::string &bytes) const {
    std::ofstream(backing() / name, std::ios::binary) << bytes;
  }

  /// What one pread of a file in the mount returns; on failure -errno in `length`.
  struct Read {
    ssize_t length;
    std::string bytes;
  };
  Read read(const std::string &name, off_t offset, std::size_t length) const {
    const int fd = open((mount() / name).c_str(), O_RDONLY);
    std::string bytes(length, '\0');
    ssize_t got = pread(fd, bytes.data(), length, offset);
    if (got < 0)
      got = -errno;
    close(fd);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return {got, bytes};
  }

private:
  fs::path root_;
};

std::string pattern(std::size_t length) {
  std::string bytes(length, '\0');
  for (std::size_t i = 0; i < length; ++i)
    bytes[i] = static_cast<char>((i * 2654435761U) >> 13);
  return bytes;
}

TEST_F(Bed, EveryByteIsTheBackingFiles) {
  const std::string bytes = pattern(3'000'001);
  put("file", bytes);
  ASSERT_EQ(start().status, 0);
  EXPECT_EQ(read("file", 0, bytes.size()).bytes, bytes);
  EXPECT_EQ(read("file", 12345, 70000).bytes, bytes.substr(12345, 70000));
  EXPECT_EQ(read("file", 2'999'000, 4096).bytes, bytes.substr(2'999'000)); // ends with the file
  EXPECT_EQ(read("file", 4'000'000, 10).length, 0);
}

TEST_F(Bed, WhatIsWrittenReachesTheBackingFile) {
  ASSERT_EQ(start().status, 0);
  const std::string bytes = pattern(200'000);
  std::ofstream(mount() / "new", std::ios::binary) << bytes;
  std::ostringstream found;
  found << std::ifstream(backing() / "new", std::ios::binary).rdbuf();
  EXPECT_EQ(found.str(), bytes);
}

TEST_F(Bed, NamesSizesAndDirectoriesPassThrough) {
  put("old", "12345");
  ASSERT_EQ(start().status, 0);
  fs::create_directory(mount() / "directory");
  fs::rename(mount() / "old", mount() / "directory" / "moved");
  fs::resize_file(mount() / "directory" / "moved", 3);
  EXPECT_EQ(fs::file_size(backing() / "directory" / "moved"), 3U);
  fs::remove(mount() / "directory" / "moved");
  EXPECT_TRUE(fs::is_empty(backing() / "directory"));
  fs::remove(mount() / "directory");
  EXPECT_TRUE(fs::is_empty(backing()));
  EXPECT_TRUE(fs::is_empty(mount())); // the control file is not listed
}

TEST_F(Bed, ALargeReadIsOneRequest) {
  put("file", pattern(1 << 20));
  ASSERT_EQ(start().status, 0);
  // A buffer that begins within a page would span one page more than the kernel passes on.
  const std::unique_ptr<void, decltype(&free)> buffer(std::aligned_alloc(4096, 1 << 20), free);
  const int fd = open((mount() / "file").c_str(), O_RDONLY);
  EXPECT_EQ(pread(fd, buffer.get(), 1 << 20, 0), 1 << 20);
  close(fd);
  EXPECT_EQ(state()["reads"], "1");
}

TEST_F(Bed, EveryReadMeetsTheModelUnlessTheKernelMayCache) {
  put("file", pattern(4096));
  ASSERT_EQ(start().status, 0);
  for (int i = 0; i < 3; ++i)
    read("file", 0, 4096);
  EXPECT_EQ(state()["reads"], "3");
  EXPECT_EQ(bed("stop " + mount().string()).status, 0);

  ASSERT_EQ(start("--latency 0 --kernel-cache").status, 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(read("file", 0, 4096).bytes, pattern(4096));
  EXPECT_LT(std::stoi(state()["reads"]), 3); // the kernel may, but need not, keep a page
}

TEST_F(Bed, NoReadIsAnsweredBeforeItsTime) {
  put("file", pattern(65536));
  ASSERT_EQ(start("--latency 20ms --servers 1 --service 1ms --bandwidth 0").status, 0);
  const auto begin = std::chrono::steady_clock::now();
  read("file", 0, 65536);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{21});
}

TEST_F(Bed, ManyReadsWaitAtTheSameTime) {
  put("file", pattern(131072));
  ASSERT_EQ(start("--latency 1s --service 0").status, 0);
  std::vector<std::thread> readers;
  readers.reserve(32);
  for (int i = 0; i < 32; ++i)
    readers.emplace_back([&, i] { EXPECT_EQ(read("file", 4096L * i, 4096).length, 4096); });
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(state()["most_in_flight"], "32");
}

TEST_F(Bed, AReadOfABadRangeFailsAndOthersDoNot) {
  put("file", pattern(8192));
  ASSERT_EQ(start().status, 0);
  ASSERT_TRUE(command("eio 4096 1"));
  EXPECT_EQ(read("file", 0, 4096).length, 4096);
  EXPECT_EQ(read("file", 0, 4097).length, -EIO);
  ASSERT_TRUE(command("clear"));
  EXPECT_EQ(read("file", 0, 8192).bytes, pattern(8192));
}

TEST_F(Bed, AShortReadBringsTheRightBytes) {
  put("file", pattern(8192));
  ASSERT_EQ(start().status, 0);
  ASSERT_TRUE(command("short-rate 1"));
  EXPECT_EQ(read("file", 0, 8192).bytes, pattern(8192).substr(0, 4096));
}

TEST_F(Bed, AHangingReadHoldsNoOther) {
  put("file", pattern(8192));
  ASSERT_EQ(start().status, 0);
  ASSERT_TRUE(command("hang 3600"));
  const pid_t reader = fork();
  if (reader == 0)
    _exit(read("file", 0, 4096).length > 0 ? 0 : 1);
  while (state().count("hang") != 0) // until the reader has taken the fault
    std::this_thread::yield();
  EXPECT_EQ(read("file", 4096, 4096).length, 4096);
  kill(reader, SIGKILL); // a hanging reader can be ended
  int status = 0;
  waitpid(reader, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(Bed, ABadCommandIsRefused) {
  ASSERT_EQ(start().status, 0);
  EXPECT_FALSE(command("explode"));
}

TEST_F(Bed, StartingTwiceWithTheSameModelIsNoError) {
  ASSERT_EQ(start("--latency 2ms").status, 0);
  const std::string pid = state()["pid"];
  EXPECT_EQ(start("--latency 2ms").status, 0);
  EXPECT_EQ(state()["pid"], pid);
  const Result other = start("--latency 3ms");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, HasSubstr("stop it first"));
}

TEST_F(Bed, StopLeavesNothingBehindAndFailsWhereNothingIsLeft) {
  ASSERT_EQ(start().status, 0);
  const std::string pid = state()["pid"];
  EXPECT_EQ(bed("stop " + mount().string()).status, 0);
  EXPECT_FALSE(fs::exists("/proc/" + pid + "/exe"));
  EXPECT_FALSE(fs::exists(control()));
  const Result again = bed("stop " + mount().string());
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.output,
            "forerun-testbed: no test bed at " + mount().lexically_normal().string() + "\n");
}

TEST_F(Bed, TheMountOfADeadDaemonIsReplaced) {
  put("file", "bytes");
  ASSERT_EQ(start().status, 0);
  const pid_t daemon = std::stoi(state()["pid"]);
  kill(daemon, SIGKILL);
  while (fs::exists("/proc/" + std::to_string(daemon) + "/exe"))
    std::this_thread::yield();
  EXPECT_THAT(bed("status " + mount().string()).output, HasSubstr("dead"));
  EXPECT_EQ(start().status, 0);
  EXPECT_EQ(read("file", 0, 5).bytes, "bytes");
}

TEST_F(Bed, StatusShowsTheModel) {
  ASSERT_EQ(start("--latency 5ms --servers 2").status, 0);
  const Result status = bed("status " + mount().string());
  EXPECT_EQ(status.status, 0);
  EXPECT_THAT(status.output, HasSubstr("--latency 5000us"));
  EXPECT_THAT(status.output, HasSubstr("--servers 2"));
}

TEST_F(Bed, WrongDirectoriesAreNamed) {
  Result result = bed("start " + none().string() + " " + mount().string());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("no such directory: " + none().string()));
  result = bed("start " + backing().string() + " " + none().string());
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("no such directory"));
  result = bed("stop /proc");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("is not a test bed"));
}

} // namespace
