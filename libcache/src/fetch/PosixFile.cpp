// SPDX-License-Identifier: Apache-2.0
#include "fetch/PosixFile.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace forerun {

namespace {

bool sameFile(int a, int b) {
  struct stat statA{};
  struct stat statB{};
  return fstat(a, &statA) == 0 && fstat(b, &statB) == 0 && statA.st_dev == statB.st_dev &&
         statA.st_ino == statB.st_ino;
}

bool multiple(std::uint64_t value, std::size_t alignment) { return value % alignment == 0; }

} // namespace

std::unique_ptr<PosixFile> PosixFile::open(const FileSource &source, bool direct) {
  std::unique_ptr<PosixFile> file(new (std::nothrow) PosixFile(source.fd));
  if (file && direct)
    file->openDirect(source.path);
  return file;
}

PosixFile::~PosixFile() {
  if (directFd_ >= 0)
    close(directFd_);
}

/// The alignment to assume if the file system does not tell: the largest sector in use.
static constexpr std::size_t kUsualAlignment = 4096;

/// Whether descriptors can be spared is checked first: closing one again would drop the program's
/// locks on the file. So it is not moved above the program's either.
void PosixFile::openDirect(const std::string &path) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && static_cast<rlim_t>(fd_) >= limit.rlim_cur / 4)
    return;
  directFd_ = ::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  // The path may name another file by now, or never have been a path of this system.
  if (directFd_ < 0 || !sameFile(fd_, directFd_))
    return;
  offsetAlignment_ = memoryAlignment_ = kUsualAlignment;
#ifdef STATX_DIOALIGN
  struct statx status{};
  if (statx(directFd_, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) == 0 &&
      (status.stx_mask & STATX_DIOALIGN) != 0 && status.stx_dio_offset_align != 0) {
    offsetAlignment_ = status.stx_dio_offset_align;
    memoryAlignment_ = std::max<std::size_t>(status.stx_dio_mem_align, 1);
  }
#endif
  useDirect_ = true;
}

int PosixFile::descriptorFor(const Transfer &transfer) const {
  if (!useDirect_.load(std::memory_order_relaxed) || !multiple(transfer.offset(), offsetAlignment_))
    return fd_;
  auto aligned = [this](const iovec &vector) {
    return multiple(reinterpret_cast<std::uintptr_t>(vector.iov_base), memoryAlignment_) &&
           multiple(vector.iov_len, offsetAlignment_);
  };
  return std::ranges::all_of(transfer.vectors(), aligned) ? directFd_ : fd_.load();
}

bool PosixFile::refusesDirect(const Transfer &transfer, ssize_t result) {
  if (result != -EINVAL || transfer.descriptor != directFd_)
    return false;
  useDirect_ = false;
  return true;
}

bool PosixFile::advance(Transfer &transfer, ssize_t result) {
  if (transfer.advance(result))
    return true;
  struct stat status{};
  return result > 0 && fstat(transfer.descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_size == static_cast<off_t>(transfer.offset());
}

void PosixFile::read(Transfer &transfer) {
  for (;;) {
    transfer.descriptor = descriptorFor(transfer);
    auto vectors = transfer.vectors();
    ssize_t result = preadv(transfer.descriptor, vectors.data(), static_cast<int>(vectors.size()),
                            static_cast<off_t>(transfer.offset()));
    if (result < 0)
      result = -errno;
    if (!refusesDirect(transfer, result) && advance(transfer, result))
      return;
  }
}

} // namespace forerun
