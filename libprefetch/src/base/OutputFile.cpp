// SPDX-License-Identifier: Apache-2.0
#include "base/OutputFile.h"

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace forerun {
namespace {

/// While it exists, a file that grows beyond the limit is an error (EFBIG) and no signal.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    sigset_t pending;
    sigpending(&pending);
    isOthers_ = sigismember(&pending, SIGXFSZ) == 1;
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoFileSizeSignal() {
    constexpr timespec kNow{};
    if (!isOthers_)
      sigtimedwait(&signal_, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal &) = delete;
  NoFileSizeSignal &operator=(const NoFileSizeSignal &) = delete;

private:
  sigset_t signal_{}, before_{};
  bool isOthers_ = false; ///< the program was waiting for one already
};

/// In the folder of \p path, and short however long its name is. Cannot be foretold, so that nobody
/// can take the name before.
std::string temporaryFor(const std::string &path) {
  std::uint32_t number = 0;
  std::array<char, 18> name{};
  (void)!getrandom(&number, sizeof number, GRND_NONBLOCK);
  std::snprintf(name.data(), name.size(), ".forerun-%08" PRIx32, number);
  return path.substr(0, path.rfind('/') + 1) + name.data();
}

} // namespace

OutputFile::OutputFile(std::string path) : std::ostream(nullptr), path_(std::move(path)) {
  rdbuf(&buffer_);
  open();
  if (buffer_.error() != 0)
    setstate(badbit);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  buffer_.close();
  if (!temporary_.empty())
    ::unlink(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::open() {
  struct stat there{};
  if (::lstat(path_.c_str(), &there) != 0)
    return openTemporary(); // nothing is there, or what is wrong shows now
  if (S_ISLNK(there.st_mode))
    return buffer_.fail(ELOOP);
  if (!S_ISREG(there.st_mode))
    return buffer_.open(path_.c_str(), O_NOFOLLOW);
  if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0)
    return buffer_.fail(errno); // what may not be written is not replaced either
  openTemporary();
}

void OutputFile::openTemporary() {
  std::string name = temporaryFor(path_);
  buffer_.open(name.c_str(), O_CREAT | O_EXCL);
  if (buffer_.error() == 0)
    temporary_ = std::move(name);
}

const char *OutputFile::reason() const {
  const char *const text = strerrordesc_np(buffer_.error());
  return text != nullptr ? text : "?";
}

void OutputFile::fail(int error) {
  buffer_.fail(error);
  setstate(badbit);
}

bool OutputFile::finish() {
  flush();
  buffer_.close();
  if (buffer_.error() == 0 && !temporary_.empty()) {
    if (::rename(temporary_.c_str(), path_.c_str()) == 0)
      temporary_.clear();
    else
      buffer_.fail(errno);
  }
  discard();
  if (buffer_.error() != 0)
    setstate(badbit);
  return good();
}

void OutputFile::Buffer::open(const char *path, int flags) {
  constexpr mode_t kWhatUmaskAllows = 0666;
  // A named pipe without a reader is an error, and does not block the program.
  fd_ = ::open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, kWhatUmaskAllows);
  if (fd_ < 0)
    fail(errno);
  else
    fcntl(fd_, F_SETFL, 0);
}

void OutputFile::Buffer::close() {
  if (const int fd = std::exchange(fd_, -1); fd >= 0 && ::close(fd) != 0)
    fail(errno);
}

OutputFile::Buffer::int_type OutputFile::Buffer::overflow(int_type last) {
  if (!write())
    return traits_type::eof();
  if (!traits_type::eq_int_type(last, traits_type::eof()))
    sputc(traits_type::to_char_type(last));
  return traits_type::not_eof(last);
}

bool OutputFile::Buffer::write() {
  const NoFileSizeSignal noSignal;
  for (const char *from = pbase(); from != pptr() && error_ == 0;) {
    const ssize_t written = ::write(fd_, from, static_cast<std::size_t>(pptr() - from));
    if (written < 0 && errno != EINTR)
      fail(errno);
    from += written > 0 ? written : 0;
  }
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return error_ == 0;
}

} // namespace forerun
