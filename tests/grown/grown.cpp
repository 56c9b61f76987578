// SPDX-License-Identifier: Apache-2.0
// grown BACKING MOUNT CONTROL: the file BACKING/data, which MOUNT/data shows, grows without the
// knowledge of the system that has mounted it, as when another client writes to it. What the cache
// fetches in the next epoch must reach the file's new end; and the file system determines what a
// read past the end returns.

#include "forerun/Cache.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace forerun;

constexpr std::size_t kGrowth = 20'000, kMax = 65536;
int failures = 0;

void expect(bool right, const std::string &what) {
  if (!right) {
    ++failures;
    std::printf("WRONG: %s\n", what.c_str());
  }
}

char byteAt(std::uint64_t offset) { return static_cast<char>(offset * 7 + offset / 4096); }

/// Appends to the file \p path, which has \p size bytes.
void grow(const std::string &path, std::size_t size) {
  std::vector<char> bytes(kGrowth);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    bytes[n] = byteAt(size + n);
  std::ofstream(path, std::ios::binary | std::ios::app)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A cache with the file open, which waits for announcements.
class Reader {
public:
  Reader(const CacheConfig &config, const std::string &path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    forerun_rc rc = FORERUN_OK;
    cache_ = Cache::create(config, rc);
    if (!cache_)
      return;
    cache_->onFetch([this](const FetchEvent &event) {
      const std::scoped_lock lock(mutex_);
      fetched_ += event.rc == FORERUN_OK ? 1 : 0;
      ++finished_;
      changed_.notify_all();
    });
    file_ = cache_->open({path, fd_, "ufs"}, rc);
  }
  ~Reader() {
    if (file_ != nullptr)
      cache_->close(file_);
    close(fd_);
  }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  bool works() const { return file_ != nullptr; }
  void newEpoch() { cache_->newEpoch(*file_, nullptr); }

  /// At most one page. True if the fetch did not fail.
  bool bring(std::uint64_t offset, std::uint64_t length) {
    std::unique_lock lock(mutex_);
    const int before = finished_, good = fetched_;
    lock.unlock();
    cache_->prefetch(*file_, offset, length, ++sequence_);
    lock.lock();
    changed_.wait(lock, [&] { return finished_ > before; });
    return fetched_ > good;
  }
  /// How many bytes the cache has there; -1: it leaves the read to the file system.
  long read(std::uint64_t offset, std::size_t length) {
    std::vector<char> bytes(length);
    const ReadResult result = cache_->read(*file_, bytes.data(), offset, length);
    if (result.outcome == Outcome::Miss)
      return -1;
    for (std::size_t n = 0; n < result.bytes; ++n)
      if (bytes[n] != byteAt(offset + n))
        expect(false, "byte " + std::to_string(offset + n));
    return static_cast<long>(result.bytes);
  }

private:
  const int fd_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int finished_ = 0, fetched_ = 0;
  Sequence sequence_ = 0;
  std::unique_ptr<Cache> cache_;
  CachedFile *file_ = nullptr;
};

void growBesides(const CacheConfig &config, const std::string &how, const std::string &backing,
                 const std::string &mount) {
  expect(truncate((backing + "/data").c_str(), 0) == 0, "the file is empty");
  std::size_t size = 0;
  for (int round = 0; round < 3; ++round, size += kGrowth) {
    struct stat status{}; // the system learns the file's present size
    stat((mount + "/data").c_str(), &status);
    Reader reader(config, mount + "/data");
    if (!reader.works()) {
      std::printf("%s does not work here\n", how.c_str());
      return;
    }
    const auto where = [&](const char *what) {
      return how + ", " + std::to_string(size) + " bytes: " + what;
    };
    reader.bring(0, kMax);
    expect(size == 0 || reader.read(0, kMax) == static_cast<long>(size), where("all of it"));
    expect(reader.read(size, 10) == -1, where("the cache does not determine what is past the end"));
    grow(backing + "/data", size);
    reader.newEpoch();
    const std::uint64_t past = size / 4096 * 4096 + 8192;
    reader.bring(past, 4096);
    expect(reader.read(past, 4096) == 4096, where("what is new"));
    reader.newEpoch();
    reader.bring(0, kMax);
    expect(reader.read(0, kMax) == static_cast<long>(size + kGrowth), where("old and new"));
  }
}

/// If storage fails past the end of the file, a reader there gets the error.
void failBehind(const CacheConfig &config, const std::string &how, const std::string &backing,
                const std::string &mount, const std::string &control) {
  expect(truncate((backing + "/data").c_str(), 0) == 0, "the file is empty");
  grow(backing + "/data", 0);
  Reader reader(config, mount + "/data");
  if (!reader.works())
    return;
  std::ofstream(control) << "eio " << kGrowth << " 1000000\n";
  expect(!reader.bring(0, kMax), how + ": the end is not where an error is");
  expect(reader.read(0, kMax) == -1, how + ": the error is the file system's to give");
  std::ofstream(control) << "clear\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  for (const IoEngine engine : {IoEngine::IoUring, IoEngine::Threads})
    for (const bool direct : {false, true}) {
      const CacheConfig config{.engine = engine, .direct = direct};
      const std::string how = std::string(engine == IoEngine::IoUring ? "io_uring" : "threads") +
                              (direct ? " with O_DIRECT" : "");
      growBesides(config, how, argv[1], argv[2]);
      failBehind(config, how, argv[1], argv[2], argv[3]);
    }
  std::printf("%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
