// SPDX-License-Identifier: Apache-2.0
#include "thread/PrivateFetch.h"

#include "thread/PreThread.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

/// Straight from the file, without a lock: by system calls, since a profiler interposed before
/// libc's functions may have one. False: unavailable.
bool readDirectly(const OpenedFile &file, std::uint64_t offset, void *buffer, std::size_t length,
                  std::size_t &came) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK; // it may be a pipe by now
  const long fd = ::syscall(SYS_openat, AT_FDCWD, file.path, kFlags);
  if (fd < 0)
    return false;
  const bool same = file.isStill(whichFile(static_cast<int>(fd)));
  const long got = same ? ::syscall(SYS_pread64, fd, buffer, length, offset) : -1;
  ::syscall(SYS_close, fd);
  came = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got >= 0;
}

} // namespace

PrivateFetch::PrivateFetch(PreThread *self, Stream &stream, const OpenedFile &file, CallId call)
    : self_(self), stream_(stream), file_(file) {
  record_.kind = RecordKind::Read;
  record_.slot = file.slot;
  record_.generation = file.generation;
  record_.call = call;
}

/// Of a call that the main thread has passed: no other one has the bytes that it got.
bool PrivateFetch::takeFromTrail() {
  return self_ != nullptr && self_->trail() != nullptr && record_.length <= staging_.size() &&
         record_.call.site >= 0 && self_->progress().hasPassed(record_.call) &&
         self_->trail()->take({record_.slot, record_.generation, record_.offset, record_.length},
                              staging_.data());
}

const void *PrivateFetch::ask(std::uint64_t offset, std::uint64_t length, std::size_t &came) {
  record_.offset = offset;
  record_.length = std::min(length, kMaxBytes);
  if (takeFromTrail()) {
    came = record_.length;
    return staging_.data();
  }
  std::optional<StallStats::Wait> waits;
  if (self_ != nullptr)
    waits.emplace(self_->stalls(), self_->current().site);
  if (const void *data = stream_.exchange(record_, came); data != nullptr && came <= record_.length)
    return data;
  const std::uint64_t most = std::min<std::uint64_t>(record_.length, staging_.size());
  const bool read =
      file_.path != nullptr && readDirectly(file_, offset, staging_.data(), most, came);
  return read ? staging_.data() : nullptr;
}

bool PrivateFetch::fill(std::uint64_t offset, std::span<std::byte> to) {
  for (std::size_t came = 0; !to.empty(); offset += came, to = to.subspan(came)) {
    const void *const data = ask(offset, to.size(), came);
    if (data == nullptr || came == 0)
      return false;
    std::memcpy(to.data(), data, came);
  }
  return true;
}

} // namespace forerun
