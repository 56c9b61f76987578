// SPDX-License-Identifier: Apache-2.0
#include "thread/PrivateStream.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace forerun {

int PrivateStream::get() {
  if (restBytes() == 0) {
    atEnd_ = true;
    return EOF;
  }
  return static_cast<unsigned char>(text_[position_++]);
}

bool PrivateStream::unget(int c) {
  if (c == EOF || position_ == 0 || position_ > bytes_)
    return false;
  char &place = text_[position_ - 1];
  if (place != static_cast<char>(c)) {
    if (overwrites_ == overwritten_.size())
      return false;
    overwritten_[overwrites_++] = {position_ - 1, place};
    place = static_cast<char>(c);
  }
  --position_;
  atEnd_ = false;
  return true;
}

std::size_t PrivateStream::read(void *data, std::size_t bytes) {
  const std::size_t came = std::min(bytes, restBytes());
  if (came < bytes)
    atEnd_ = true;
  std::memcpy(data, rest(), came);
  position_ += came;
  return came;
}

char *PrivateStream::line(char *line, int most) {
  if (most <= 0)
    return nullptr;
  const std::size_t room = std::min(static_cast<std::size_t>(most - 1), restBytes());
  const void *newline = std::memchr(rest(), '\n', room);
  const std::size_t length =
      newline != nullptr ? static_cast<std::size_t>(static_cast<const char *>(newline) - rest()) + 1
                         : room;
  // libc would have read on.
  if (newline == nullptr && length < static_cast<std::size_t>(most - 1))
    atEnd_ = true;
  if (length == 0 && most > 1)
    return nullptr;
  std::memcpy(line, rest(), length);
  line[length] = '\0';
  position_ += length;
  return line;
}

bool PrivateStream::seek(long offset, int whence) {
  long base = 0;
  if (whence == SEEK_CUR)
    base = tell();
  else if (whence == SEEK_END)
    base = static_cast<long>(bytes_);
  else if (whence != SEEK_SET)
    return false;
  long target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0)
    return false;
  while (overwrites_ != 0) {
    --overwrites_;
    text_[overwritten_[overwrites_].position] = overwritten_[overwrites_].was;
  }
  position_ = static_cast<std::size_t>(target);
  atEnd_ = false;
  return true;
}

} // namespace forerun
