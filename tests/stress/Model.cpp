// SPDX-License-Identifier: Apache-2.0
#include "Model.h"
#include "Random.h"

#include <algorithm>

namespace stress {

namespace {

std::uint64_t visibleInPeriod(const ViewLayout &view) {
  std::uint64_t sum = 0;
  for (const ByteRange &block : view.blocks)
    sum += block.length;
  return sum;
}

} // namespace

std::vector<ByteRange> ViewLayout::map(std::uint64_t start, std::uint64_t length) const {
  if (contiguous())
    return {{displacement + start, length}};
  std::vector<ByteRange> ranges;
  const std::uint64_t visible = visibleInPeriod(*this);
  std::uint64_t period = start / visible;
  std::uint64_t skip = start % visible;
  for (; length > 0; ++period) {
    for (const ByteRange &block : blocks) {
      if (skip >= block.length) {
        skip -= block.length;
        continue;
      }
      const std::uint64_t piece = std::min(block.length - skip, length);
      ranges.push_back({displacement + period * periodBytes + block.offset + skip, piece});
      skip = 0;
      length -= piece;
      if (length == 0)
        break;
    }
  }
  return ranges;
}

std::vector<std::uint8_t> pattern(std::uint64_t stamp, std::uint64_t length) {
  std::vector<std::uint8_t> data(length);
  Random random(stamp, length);
  for (std::uint8_t &byte : data)
    byte = static_cast<std::uint8_t>(random.next());
  return data;
}

void FileModel::write(const ViewLayout &view, std::uint64_t start,
                      std::span<const std::uint8_t> data) {
  if (data.empty())
    return; // does not make the file longer
  auto from = data.begin();
  for (const ByteRange &range : view.map(start, data.size())) {
    if (range.offset + range.length > bytes_.size())
      bytes_.resize(range.offset + range.length, 0);
    std::copy_n(from, range.length, bytes_.begin() + static_cast<std::ptrdiff_t>(range.offset));
    from += static_cast<std::ptrdiff_t>(range.length);
  }
}

std::vector<std::uint8_t> FileModel::read(const ViewLayout &view, std::uint64_t start,
                                          std::uint64_t length) const {
  std::vector<std::uint8_t> data;
  data.reserve(length);
  for (const ByteRange &range : view.map(start, length)) {
    const std::uint64_t first = std::min<std::uint64_t>(range.offset, bytes_.size());
    const std::uint64_t last = std::min<std::uint64_t>(range.offset + range.length, bytes_.size());
    data.insert(data.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(first),
                bytes_.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return data;
}

} // namespace stress
