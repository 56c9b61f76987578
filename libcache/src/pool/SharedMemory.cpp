// SPDX-License-Identifier: Apache-2.0
#include "pool/SharedMemory.h"

#include "base/OwnDescriptor.h"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace forerun {
namespace {

constexpr unsigned kSeals = F_SEAL_SHRINK | F_SEAL_GROW;

/// Locks of an open file, not of a process: a child has no part in them, and closing another
/// descriptor of the memory releases none.
struct flock ofByte(unsigned number) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = number;
  lock.l_len = 1;
  return lock;
}

} // namespace

SharedMemory::SharedMemory(int fd, std::shared_ptr<const Mapping> mapping)
    : fd_(fd), mapping_(std::move(mapping)) {}

SharedMemory::~SharedMemory() { close(fd_); }

std::unique_ptr<SharedMemory> SharedMemory::map(int fd, std::size_t bytes) {
  const int own = moveAboveTheProgram(fd);
  if (own < 0)
    return nullptr;
  auto mapping = std::make_shared<const Mapping>(bytes, own);
  std::unique_ptr<SharedMemory> memory(new SharedMemory(own, std::move(mapping)));
  return memory->base() != nullptr ? std::move(memory) : nullptr;
}

/// Otherwise a file that grows ends the process by a signal.
static bool mayBeAsLarge(std::size_t bytes) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

std::unique_ptr<SharedMemory> SharedMemory::create(std::size_t bytes) {
  if (!mayBeAsLarge(bytes))
    return nullptr;
  const int fd = memfd_create("forerun", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    return nullptr;
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0 || fcntl(fd, F_ADD_SEALS, kSeals) != 0) {
    close(fd);
    return nullptr;
  }
  return map(fd, bytes);
}

/// Opens a description of its own: locks belong to descriptions.
int SharedMemory::open(pid_t owner, int number) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%ld/fd/%d", static_cast<long>(owner), number);
  return ::open(path.data(), O_RDWR | O_CLOEXEC);
}

std::unique_ptr<SharedMemory> SharedMemory::attach(pid_t owner, int number) {
  const int fd = open(owner, number);
  if (fd < 0)
    return nullptr;
  struct stat found{};
  const int seals = fcntl(fd, F_GET_SEALS);
  const bool isOurs = seals >= 0 && (static_cast<unsigned>(seals) & kSeals) == kSeals;
  if (!isOurs || fstat(fd, &found) != 0 || found.st_size <= 0) {
    close(fd);
    return nullptr;
  }
  return map(fd, static_cast<std::size_t>(found.st_size));
}

std::unique_ptr<SharedMemory> SharedMemory::share() const {
  const int own = moveAboveTheProgram(open(getpid(), fd_));
  if (own < 0)
    return nullptr;
  return std::unique_ptr<SharedMemory>(new SharedMemory(own, mapping_));
}

bool SharedMemory::lock(unsigned number) const {
  struct flock lock = ofByte(number);
  return fcntl(fd_, F_OFD_SETLK, &lock) == 0;
}

bool SharedMemory::isLocked(unsigned number) const {
  struct flock lock = ofByte(number);
  return fcntl(fd_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

} // namespace forerun
