// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

/// \file
/// Traces of reads: text, one read a line, `OFFSET LENGTH` or `FILE OFFSET LENGTH`, in bytes; FILE
/// is any word. Empty lines and what follows a `#` do not count.

namespace forerun::sim {

/// The pages that a trace touches, numbered from 0 in the order they first appear.
struct PageTrace {
  /// One read: its pages are pages[begin, end).
  struct Request {
    std::size_t begin, end;
  };
  std::vector<std::uint32_t> pages;
  std::vector<Request> requests;
  std::size_t distinctPages = 0;
};

/// Reads a trace. On bad input returns false, with \p error naming \p name and the line.
bool parseTrace(std::istream &input, const std::string &name, std::uint64_t pageBytes,
                PageTrace &trace, std::string &error);

struct Generator {
  std::string pattern; ///< random, sequential, strided, zipf or loop
  std::uint64_t requests = 10'000;
  std::uint64_t requestBytes = 64 << 10;
  std::uint64_t fileBytes = 256 << 20;
  std::uint64_t seed = 1;

  /// Writes a trace of the pattern; false if there is no such pattern.
  bool generate(std::ostream &output) const;
};

} // namespace forerun::sim
