// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_OUTPUTFILE_H
#define FORERUN_OUTPUTFILE_H

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

/// \file
/// A file that is written from beginning to end, as a stream. If its name is a symbolic link it is
/// not written: in a folder that others can write to, the link may be another user's. Programs that
/// the process starts do not inherit it.
/// Threads: none of its own.

namespace forerun {

class OutputFile final : public std::ostream {
public:
  explicit OutputFile(const std::string &path);
  ~OutputFile() override { finish(); }
  /// Writes what is left. False if not all of it, or nothing, could be written.
  bool finish();

private:
  class Buffer final : public std::streambuf {
  public:
    explicit Buffer(int fd) : fd_(fd) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
    bool close();

  protected:
    int_type overflow(int_type last) override;
    int sync() override { return write() ? 0 : -1; }

  private:
    bool write();

    int fd_; ///< -1: closed, or never opened
    std::array<char, 4096> bytes_;
  };

  Buffer buffer_;
};

} // namespace forerun

#endif
