// SPDX-License-Identifier: Apache-2.0
#include "base/OutputFile.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace forerun {
namespace {

int openForWriting(const std::string &path) {
  constexpr mode_t kWhatUmaskAllows = 0666;
  // A named pipe without a reader is an error, and does not block the program.
  const int fd = ::open(
      path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
      kWhatUmaskAllows);
  if (fd >= 0)
    fcntl(fd, F_SETFL, 0);
  return fd;
}

} // namespace

OutputFile::OutputFile(const std::string &path)
    : std::ostream(nullptr), buffer_(openForWriting(path)) {
  rdbuf(&buffer_);
}

bool OutputFile::finish() {
  flush();
  if (!buffer_.close())
    setstate(badbit);
  return good();
}

bool OutputFile::Buffer::close() {
  const int fd = std::exchange(fd_, -1);
  return fd >= 0 && ::close(fd) == 0;
}

OutputFile::Buffer::int_type OutputFile::Buffer::overflow(int_type last) {
  if (!write())
    return traits_type::eof();
  if (!traits_type::eq_int_type(last, traits_type::eof()))
    sputc(traits_type::to_char_type(last));
  return traits_type::not_eof(last);
}

bool OutputFile::Buffer::write() {
  for (const char *from = pbase(); from != pptr();) {
    const ssize_t written = ::write(fd_, from, static_cast<std::size_t>(pptr() - from));
    if (written < 0 && errno != EINTR)
      return false;
    from += written > 0 ? written : 0;
  }
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return fd_ >= 0;
}

} // namespace forerun
