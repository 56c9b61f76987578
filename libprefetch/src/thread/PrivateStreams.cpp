// SPDX-License-Identifier: Apache-2.0
#include "thread/PrivateStreams.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace forerun {
namespace {

struct Text {
  char *data = nullptr;
  std::size_t bytes = 0;
};

/// Uses system calls: a profiler interposed before libc's functions may have a lock.
PrivateStreams::Opened readWhole(Arena &arena, long fd, Text &text) {
  struct stat status{};
  if (::fstat(static_cast<int>(fd), &status) != 0)
    return PrivateStreams::Opened::No;
  if (!S_ISREG(status.st_mode))
    return PrivateStreams::Opened::NoFile;
  std::size_t room = static_cast<std::size_t>(status.st_size) + 1;
  for (;;) { // some files do not report their length
    auto *const data = static_cast<char *>(arena.reallocate(text.data, room + 1));
    if (data == nullptr)
      return PrivateStreams::Opened::NoMemory;
    text.data = data;
    const long came = ::syscall(SYS_read, fd, data + text.bytes, room - text.bytes);
    if (came <= 0)
      return came == 0 ? PrivateStreams::Opened::Yes : PrivateStreams::Opened::NoFile;
    text.bytes += static_cast<std::size_t>(came);
    if (text.bytes == room)
      room *= 2;
  }
}

} // namespace

PrivateStreams::Opened PrivateStreams::open(Arena &arena, const char *path, const char *mode,
                                            PrivateStream *&stream) {
  Text text;
  if (mode[0] == 'r') {
    // Does not wait for the other end of a pipe.
    const long fd = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
      return Opened::No;
    const Opened opened = readWhole(arena, fd, text);
    ::syscall(SYS_close, fd);
    if (opened != Opened::Yes)
      return opened;
  } else if (mode[0] != 'w' && mode[0] != 'a') {
    errno = EINVAL;
    return Opened::No;
  } else {
    text.data = static_cast<char *>(arena.allocate(1));
  }
  void *const place = arena.allocate(sizeof(PrivateStream));
  if (text.data == nullptr || place == nullptr)
    return Opened::NoMemory;
  stream = new (place) PrivateStream(text.data, text.bytes);
  stream->next = first_;
  first_ = stream;
  return Opened::Yes;
}

bool PrivateStreams::close(Arena &arena, void *stream) {
  PrivateStream **link = &first_;
  while (*link != nullptr && *link != stream)
    link = &(*link)->next;
  if (*link == nullptr)
    return false;
  PrivateStream *const closed = *link;
  *link = closed->next;
  closed->seek(0, SEEK_SET);
  arena.release(closed->rest());
  arena.release(closed);
  return true;
}

PrivateStream *PrivateStreams::find(const void *stream) const {
  PrivateStream *found = first_;
  while (found != nullptr && found != stream)
    found = found->next;
  return found;
}

} // namespace forerun
