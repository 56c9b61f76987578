// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// One line to stderr: "forerun[rank]: ...". Uses no lock, no allocation and no stdio, so that the
/// pre-execution thread and signal handlers can use it; longer lines are cut, and control
/// characters (in a file's name) become question marks.

namespace forerun {

class Message {
public:
  Message(); ///< the line begins with the name, and the rank once it is known
  Message &operator<<(std::string_view text);
  template <std::integral T> Message &operator<<(T number) {
    if (std::signed_integral<T> && number < 0)
      return (*this << "-").decimal(~static_cast<std::uint64_t>(number) + 1);
    return decimal(static_cast<std::uint64_t>(number));
  }
  void write() const; ///< one system call

  static void setRank(int rank); ///< of this process in MPI_COMM_WORLD

private:
  Message &decimal(std::uint64_t number);

  std::array<char, 512> line_;
  std::size_t length_ = 0;
};

} // namespace forerun
