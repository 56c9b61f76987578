// SPDX-License-Identifier: Apache-2.0
// What every backend must do, run on each of them; those that read through a descriptor also with
// O_DIRECT.
#include "FetchEngineTestSupport.h"
#include "fetch/FetchEngine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <poll.h>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

using namespace forerun;

namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kPageBytes = 64 * kKiB;

std::vector<char> randomBytes(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<char> bytes(count);
  std::ranges::generate(bytes, [&] { return char(random()); });
  return bytes;
}

struct alignas(4096) Page {
  char bytes[kPageBytes];
};

struct How {
  const char *name;
  IoEngine engine;
  bool direct = false;
  bool byReader = false; ///< as files without a descriptor are read
};

class FetchEngineBackend : public testing::TestWithParam<How> {
protected:
  void SetUp() override {
    CacheConfig config;
    config.engine = GetParam().engine;
    config.direct = GetParam().direct;
    forerun_rc rc = FORERUN_OK;
    engine_ = FetchEngine::create(config, completions_.counter(), rc);
    if (rc == FORERUN_ERR_UNSUPPORTED)
      GTEST_SKIP() << "this machine has no such engine";
    ASSERT_NE(engine_, nullptr);
    ASSERT_EQ(rc, FORERUN_OK);
  }

  FetchFile *open(FileSource source) {
    if (GetParam().byReader) {
      source.reader = std::make_shared<DescriptorReader>(source.fd);
      source.fd = -1;
    }
    forerun_rc rc = FORERUN_OK;
    FetchFile *file = engine_->openFile(source, rc);
    EXPECT_EQ(rc, FORERUN_OK);
    return file;
  }

  /// Fetches one run and waits for it.
  FetchRequest fetch(FetchFile *file, std::uint64_t offset, std::size_t length, void *buffer) {
    FetchRequest request;
    request.file = file;
    request.offset = offset;
    request.length = length;
    request.buffer = buffer;
    FetchRequest *one = &request;
    unsigned before = completions_.soFar();
    engine_->submit({&one, 1});
    completions_.waitFor(before + 1);
    return request;
  }

  Completions completions_;
  std::unique_ptr<FetchEngine> engine_;
};

/// Fetches for a test from several threads: each with its own requests and pages.
struct RandomFetches {
  RandomFetches(FetchFile *file, std::size_t fileBytes, std::size_t count, unsigned seed)
      : pages(count), requests(count) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      FetchRequest &request = requests[i];
      request.file = file;
      request.offset = random() % fileBytes;
      // Half of them as the cache asks, in sectors; half of them anything.
      if (i % 2 == 0)
        request.offset -= request.offset % 4096;
      request.length = i % 2 == 0 ? 4096 * (1 + random() % 16) : 1 + random() % kPageBytes;
      request.buffer = pages[i].bytes;
      request.sequence = random() % 100;
      request.kind = random() % 8 == 0 ? FetchKind::Demand : FetchKind::Prefetch;
    }
  }

  void submit(FetchEngine &engine) {
    std::vector<FetchRequest *> batch;
    batch.reserve(requests.size());
    for (FetchRequest &request : requests)
      batch.push_back(&request);
    std::span<FetchRequest *const> rest(batch);
    for (std::size_t count = 1; !rest.empty(); count = count % 7 + 1) {
      auto some = rest.first(std::min(count, rest.size()));
      engine.submit(some);
      rest = rest.subspan(some.size());
      engine.raise(requests[requests.size() - rest.size() - 1]);
    }
  }

  void expectAllRight(const std::vector<char> &content) const {
    for (const FetchRequest &request : requests) {
      std::size_t left = content.size() - request.offset;
      ASSERT_EQ(request.rc, FORERUN_OK);
      ASSERT_EQ(request.bytes, std::min(request.length, left));
      ASSERT_EQ(std::memcmp(request.buffer, content.data() + request.offset, request.bytes), 0)
          << "at " << request.offset << ", " << request.length << " bytes";
    }
  }

  std::vector<Page> pages;
  std::vector<FetchRequest> requests;
};

TEST_P(FetchEngineBackend, ReadsInTheThreadOfWhoeverWillWait) {
  const std::vector<char> content = randomBytes(3 * kPageBytes);
  TemporaryFile file(content);
  FetchFile *opened = open(file.source());
  auto page = std::make_unique<Page>();
  FetchRequest request;
  request.file = opened;
  request.offset = 2 * kPageBytes + 4 * kKiB;
  request.length = kPageBytes;
  request.buffer = page->bytes;
  engine_->submitAndRead(request);
  EXPECT_EQ(completions_.soFar(), 1U);
  EXPECT_EQ(request.rc, FORERUN_OK);
  ASSERT_EQ(request.bytes, kPageBytes - 4 * kKiB) << "the file ends there";
  EXPECT_EQ(std::memcmp(page->bytes, content.data() + request.offset, request.bytes), 0);
  engine_->closeFile(opened);
}

TEST_P(FetchEngineBackend, ThousandsOfConcurrentRequestsBringTheBytesOfTheFile) {
  constexpr unsigned kThreads = 4;
  constexpr std::size_t kEach = 500;
  auto content = randomBytes(3'333'333);
  TemporaryFile temporary(content);
  FetchFile *file = open(temporary.source());
  std::vector<RandomFetches> fetches;
  fetches.reserve(kThreads);
  for (unsigned i = 0; i < kThreads; ++i)
    fetches.emplace_back(file, content.size(), kEach, i);
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (auto &some : fetches)
      threads.emplace_back([&] { some.submit(*engine_); });
  }
  completions_.waitFor(kThreads * kEach);
  for (const auto &some : fetches)
    some.expectAllRight(content);
  engine_->closeFile(file);
  EXPECT_EQ(completions_.soFar(), kThreads * kEach) << "each was completed once";
}

TEST_P(FetchEngineBackend, AFetchIsShortOnlyAtTheEndOfTheFile) {
  auto content = randomBytes(2 * kPageBytes + 100);
  TemporaryFile temporary(content);
  FetchFile *file = open(temporary.source());
  Page page;
  EXPECT_EQ(fetch(file, kPageBytes, kPageBytes, &page).bytes, kPageBytes);
  EXPECT_EQ(fetch(file, 2 * kPageBytes, kPageBytes, &page).bytes, 100U);
  EXPECT_EQ(std::memcmp(page.bytes, content.data() + 2 * kPageBytes, 100), 0);
  FetchRequest after = fetch(file, 3 * kPageBytes, kPageBytes, &page);
  EXPECT_EQ(after.bytes, 0U);
  EXPECT_EQ(after.rc, FORERUN_OK);
  engine_->closeFile(file);
}

TEST_P(FetchEngineBackend, HolesAndOffsetsBeyondFourGibibytesAreRead) {
  constexpr std::uint64_t kFar = (std::uint64_t{5} << 30) + 4096;
  TemporaryFile temporary({});
  ASSERT_EQ(pwrite(temporary.descriptor(), "far away", 8, kFar), 8);
  FetchFile *file = open(temporary.source());
  Page page;
  EXPECT_EQ(fetch(file, kFar - kPageBytes, kPageBytes, &page).bytes, kPageBytes);
  EXPECT_TRUE(std::ranges::all_of(page.bytes, [](char byte) { return byte == 0; }));
  EXPECT_EQ(fetch(file, kFar, kPageBytes, &page).bytes, 8U);
  EXPECT_EQ(std::memcmp(page.bytes, "far away", 8), 0);
  engine_->closeFile(file);
}

/// A plain read checks whether this is the end of the file; in /proc it may have to wait.
TEST_P(FetchEngineBackend, TheEndOfAFileThatHasNoSizeIsFoundByManyAtATime) {
  const char *path = "/proc/self/status";
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    GTEST_SKIP() << "there is no such file here";
  FetchFile *file = open({path, fd, "ufs"});
  std::vector<Page> pages(200);
  std::vector<FetchRequest> requests(pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    requests[i].file = file;
    requests[i].offset = i % 4 * kPageBytes;
    requests[i].length = kPageBytes;
    requests[i].buffer = pages[i].bytes;
    FetchRequest *one = &requests[i];
    engine_->submit({&one, 1});
  }
  completions_.waitFor(static_cast<unsigned>(requests.size()));
  for (const FetchRequest &request : requests) {
    EXPECT_EQ(request.rc, FORERUN_OK);
    EXPECT_EQ(request.bytes > 0, request.offset == 0);
    EXPECT_LT(request.bytes, kPageBytes);
  }
  engine_->closeFile(file);
  ::close(fd);
}

TEST_P(FetchEngineBackend, AFileThatGivesAPageAtATimeIsReadToTheEnd) {
  // The kernel hands out /proc in small pieces.
  const char *path = "/proc/kallsyms";
  int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  Page page;
  ssize_t piece = fd < 0 ? -1 : pread(fd, page.bytes, kPageBytes, 0);
  if (piece <= 0 || piece == ssize_t{kPageBytes})
    GTEST_SKIP() << "there is no such file here";
  FetchFile *file = open({path, fd, "ufs"});
  EXPECT_EQ(fetch(file, 0, kPageBytes, &page).bytes, kPageBytes);
  engine_->closeFile(file);
  close(fd);
}

TEST_P(FetchEngineBackend, AReadThatFailsIsCompletedWithAnError) {
  Page page;
  int fd = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  FetchFile *unreadable = open({"/dev/null", fd, "ufs"});
  EXPECT_EQ(fetch(unreadable, 0, kPageBytes, &page).rc, FORERUN_ERR_IO);
  engine_->closeFile(unreadable);
  close(fd);

  fd = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FetchFile *directory = open({"/", fd, "ufs"});
  EXPECT_EQ(fetch(directory, 0, kPageBytes, &page).rc, FORERUN_ERR_IO);
  engine_->closeFile(directory);
  close(fd);
}

TEST_P(FetchEngineBackend, ClosingAFileLeavesTheCallersDescriptorOpen) {
  TemporaryFile temporary(randomBytes(kPageBytes));
  engine_->closeFile(open(temporary.source()));
  EXPECT_GE(fcntl(temporary.descriptor(), F_GETFD), 0);
}

TEST_P(FetchEngineBackend, EndingTheEngineCompletesEveryRequest) {
  constexpr std::size_t kRequests = 500;
  auto content = randomBytes(kRequests * 4 * kKiB);
  TemporaryFile temporary(content);
  FetchFile *file = open(temporary.source());
  RandomFetches fetches(file, content.size(), kRequests, 1);
  fetches.submit(*engine_);
  engine_.reset();
  EXPECT_EQ(completions_.soFar(), kRequests);
  for (const FetchRequest &request : fetches.requests)
    EXPECT_THAT(request.rc, testing::AnyOf(FORERUN_OK, FORERUN_ERR_STOPPED));
}

std::map<std::string, std::string> statusOf(const std::string &task) {
  std::ifstream status("/proc/self/task/" + task + "/status");
  std::map<std::string, std::string> fields;
  for (std::string line; std::getline(status, line);)
    if (const auto colon = line.find(":\t"); colon != std::string::npos)
      fields[line.substr(0, colon)] = line.substr(colon + 2);
  return fields;
}

/// The threads of the engine, as the kernel sees them: a field of each one's status. They name
/// themselves; until then they have the name of the test, like a sanitizer's thread at all times.
std::multiset<std::string> fieldOfEngineThreads(const std::string &field) {
  const std::string unnamed = statusOf(std::to_string(getpid()))["Name"];
  for (int ms = 0;; poll(nullptr, 0, 1), ++ms) {
    std::multiset<std::string> values;
    bool areNamed = true;
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
      auto fields = statusOf(task.path().filename());
      if (fields["Name"] == "forerun-fetch")
        values.insert(fields[field]);
      else
        areNamed &= fields["Name"] != unnamed || fields["Pid"] == std::to_string(getpid());
    }
    constexpr int kMaxMs = 50;
    if (areNamed || ms == kMaxMs)
      return values;
  }
}

TEST_P(FetchEngineBackend, ThreadsOfTheEngineBlockSignals) {
  auto masks = fieldOfEngineThreads("SigBlk");
  ASSERT_FALSE(masks.empty());
  // All but SIGKILL, SIGSTOP and the two that glibc keeps for itself.
  constexpr auto kAll = 0xfffffffe7ffbfeffULL;
  for (const auto &mask : masks)
    EXPECT_EQ(std::stoull(mask, nullptr, 16) & kAll, kAll);
}

TEST_P(FetchEngineBackend, AnEngineWithoutWorkSleeps) {
  TemporaryFile temporary(randomBytes(kPageBytes));
  FetchFile *file = open(temporary.source());
  Page page;
  fetch(file, 0, kPageBytes, &page);
  // The thread that completed the request may not be asleep yet.
  for (;;) {
    auto states = fieldOfEngineThreads("State");
    if (std::ranges::all_of(states, [](auto &state) { return state == "S (sleeping)"; }))
      break;
    std::this_thread::yield();
  }
  auto switches = fieldOfEngineThreads("voluntary_ctxt_switches");
  constexpr int kObservedMs = 100;
  poll(nullptr, 0, kObservedMs);
  EXPECT_EQ(fieldOfEngineThreads("voluntary_ctxt_switches"), switches);
  engine_->closeFile(file);
}

std::string nameOf(const testing::TestParamInfo<How> &info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    All, FetchEngineBackend,
    testing::Values(How{.name = "IoUringBuffered", .engine = IoEngine::IoUring},
                    How{.name = "IoUringDirect", .engine = IoEngine::IoUring, .direct = true},
                    How{.name = "ThreadsBuffered", .engine = IoEngine::Threads},
                    How{.name = "ThreadsDirect", .engine = IoEngine::Threads, .direct = true},
                    How{.name = "Reader", .engine = IoEngine::Auto, .byReader = true}),
    nameOf);

} // namespace
