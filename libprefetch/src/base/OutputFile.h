// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

/// \file
/// A file that is written from beginning to end, as a stream, and that is there as a whole or not at
/// all: it is written under another name in the same folder, and gets its own when all of it has
/// been written. Until then, and if that fails, what was there before stays. What is no regular file
/// (a device, a pipe) is written as it is. If its name is a symbolic link it is not written: in a
/// folder that others can write to, the link may be another user's. Programs that the process starts
/// do not inherit it. A limit of the size of files (RLIMIT_FSIZE) is an error, and does not end the
/// program.
/// Threads: none of its own.

namespace forerun {

class OutputFile final : public std::ostream {
public:
  explicit OutputFile(std::string path);
  ~OutputFile() override; ///< without finish(): as if nothing had been written
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Writes what is left, and gives the file its name. False if not all of it, or nothing, could be
  /// written.
  bool finish();
  const char *reason() const; ///< why not: the first error
  void fail(int error);       ///< what is written is not all that it should be

private:
  class Buffer final : public std::streambuf {
  public:
    Buffer() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
    void open(const char *path, int flags); ///< for writing; with these flags of open(2) as well
    void close();
    void fail(int error) { error_ = error_ == 0 ? error : error_; }
    int error() const { return error_; }

  protected:
    int_type overflow(int_type last) override;
    int sync() override { return write() ? 0 : -1; }

  private:
    bool write();

    int fd_ = -1; ///< -1: closed, or not open yet
    int error_ = 0;
    std::array<char, 4096> bytes_;
  };

  void open();
  void openTemporary();
  void discard(); ///< what has not got its name

  const std::string path_;
  std::string temporary_; ///< empty: there is none, or it has got its name
  Buffer buffer_;
};

} // namespace forerun
