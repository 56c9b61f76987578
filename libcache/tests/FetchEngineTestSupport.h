// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/FetchEngine.h"
#include "forerun/Mutex.h"

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace forerun {

/// A file that is removed with its object.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::vector<char> &content) {
    fd_ = mkstemp(path_.data());
    for (std::size_t at = 0; at < content.size();) {
      ssize_t written = pwrite(fd_, content.data() + at, content.size() - at, off_t(at));
      if (written <= 0)
        std::abort();
      at += std::size_t(written);
    }
  }
  ~TemporaryFile() {
    close(fd_);
    unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  FileSource source() const { return {path_, fd_, "ufs"}; }
  int descriptor() const { return fd_; }

private:
  // Beside the tests and not in /tmp, which is often a file system without O_DIRECT.
  std::string path_ = "./fetch-engine-XXXXXX";
  int fd_ = -1;
};

/// A file with a descriptor, read like one without.
class DescriptorReader final : public FileReader {
public:
  explicit DescriptorReader(int descriptor) : descriptor_(descriptor) {}

  ssize_t read(std::span<const iovec> buffers, std::uint64_t offset) override {
    ssize_t bytes = preadv(descriptor_, buffers.data(), int(buffers.size()), off_t(offset));
    return bytes < 0 ? -errno : bytes;
  }

private:
  const int descriptor_;
};

/// Counts completions, to wait for them.
class Completions {
public:
  Completed counter() {
    return [this](FetchRequest &) {
      const MutexLock lock(mutex_);
      ++count_;
      changed_.notify_all();
    };
  }
  void waitFor(unsigned number) {
    MutexLock lock(mutex_);
    while (count_ < number)
      lock.wait(changed_);
  }
  unsigned soFar() {
    const MutexLock lock(mutex_);
    return count_;
  }

private:
  Mutex mutex_;
  std::condition_variable changed_;
  unsigned count_ FORERUN_GUARDED_BY(mutex_) = 0;
};

} // namespace forerun
