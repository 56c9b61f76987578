// SPDX-License-Identifier: Apache-2.0
#include "base/Message.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>

namespace forerun {
namespace {

std::atomic<int> theRank{-1};

} // namespace

Message::Message() {
  *this << "forerun";
  if (const int rank = theRank.load(std::memory_order_relaxed); rank >= 0)
    *this << "[" << rank << "]";
  *this << ": ";
}

Message &Message::operator<<(std::string_view text) {
  const std::size_t bytes = std::min(text.size(), line_.size() - length_);
  const auto visible = [](char c) { return static_cast<unsigned char>(c) < ' ' ? '?' : c; };
  std::transform(text.data(), text.data() + bytes, line_.data() + length_, visible);
  length_ += bytes;
  return *this;
}

Message &Message::decimal(std::uint64_t number) {
  std::array<char, 20> digits;
  auto first = digits.size();
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return *this << std::string_view(digits.data() + first, digits.size() - first);
}

void Message::write() const {
  static char newline = '\n';
  const std::array<iovec, 2> parts{iovec{const_cast<char *>(line_.data()), length_},
                                   iovec{&newline, 1}};
  const int saved = errno;
  // A message that cannot be written is lost; there is nobody to tell.
  [[maybe_unused]] const auto written = writev(STDERR_FILENO, parts.data(), parts.size());
  errno = saved;
}

void Message::setRank(int rank) { theRank.store(rank, std::memory_order_relaxed); }

} // namespace forerun
