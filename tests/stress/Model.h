// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// \file
/// What the file must contain, and where a view's bytes are in it. Knows nothing of MPI: MPI-IO is
/// judged by it.

namespace stress {

struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// A file view: from `displacement` on, a period is repeated, of which only the blocks are visible.
struct ViewLayout {
  std::uint64_t displacement = 0;
  std::uint64_t etypeBytes = 1;
  std::uint64_t periodBytes = 1;
  std::vector<ByteRange> blocks = {{0, 1}}; ///< ascending, disjoint, whole etypes
  std::uint64_t visibleBytes = 0;           ///< as far as it may be accessed, in bytes of the view

  bool contiguous() const { return blocks.size() == 1 && blocks[0].length == periodBytes; }
  /// Where [start, start + length) of the view is in the file.
  std::vector<ByteRange> map(std::uint64_t start, std::uint64_t length) const;
};

/// The bytes that the write with number \p stamp writes.
std::vector<std::uint8_t> pattern(std::uint64_t stamp, std::uint64_t length);

class FileModel {
public:
  std::uint64_t size() const { return bytes_.size(); }
  void resize(std::uint64_t size) { bytes_.resize(size, 0); }
  void write(const ViewLayout &view, std::uint64_t start, std::span<const std::uint8_t> data);
  /// What a read returns: shorter than \p length only at the end of the file.
  std::vector<std::uint8_t> read(const ViewLayout &view, std::uint64_t start,
                                 std::uint64_t length) const;

private:
  std::vector<std::uint8_t> bytes_;
};

} // namespace stress
