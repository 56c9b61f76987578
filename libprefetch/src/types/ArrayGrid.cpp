// SPDX-License-Identifier: Apache-2.0
#include "types/ArrayGrid.h"

#include <algorithm>
#include <mpi.h>
#include <vector>

namespace forerun {

namespace {

/// The indices taken of one dimension: \p blocks blocks of \p blockLength, \p period apart, and
/// after them one of \p tailLength.
struct Dimension {
  std::int64_t size;
  std::int64_t first;
  std::int64_t blocks;
  std::int64_t blockLength;
  std::int64_t period;
  std::int64_t tailLength;

  bool empty() const { return (blocks == 0 || blockLength == 0) && tailLength == 0; }
  std::int64_t tail() const { return first + blocks * period; }
};

class Grid {
public:
  /// \p dimensions: slowest first.
  Grid(std::vector<Dimension> dimensions, const TypeMap &child, TypeMap &map)
      : dimensions_(std::move(dimensions)), child_(child), map_(map) {}

  void append() {
    for (const Dimension &dimension : dimensions_)
      if (dimension.empty())
        return;
    std::int64_t volume = child_.extent();
    strides_.resize(dimensions_.size());
    for (std::size_t d = dimensions_.size(); d-- > 0; volume *= dimensions_[d].size)
      strides_[d] = volume;
    appendFrom(0, 0);
  }

private:
  void appendFrom(std::size_t d, std::int64_t offset) {
    const Dimension &dimension = dimensions_[d];
    for (std::int64_t b = 0; b < dimension.blocks && !map_.overfull(); ++b)
      appendRows(d, offset, dimension.first + b * dimension.period, dimension.blockLength);
    appendRows(d, offset, dimension.tail(), dimension.tailLength);
  }

  /// Indices [first, first + count) of dimension \p d.
  void appendRows(std::size_t d, std::int64_t offset, std::int64_t first, std::int64_t count) {
    const std::int64_t start = offset + first * strides_[d];
    if (d + 1 == dimensions_.size()) {
      map_.appendBlocks(start, 1, count, 0, child_);
      return;
    }
    const Dimension &next = dimensions_[d + 1];
    if (d + 2 == dimensions_.size() && next.blocks == 1 && next.tailLength == 0) {
      map_.appendBlocks(start + next.first * strides_[d + 1], count, next.blockLength, strides_[d],
                        child_);
      return;
    }
    for (std::int64_t i = 0; i < count && !map_.overfull(); ++i)
      appendFrom(d + 1, start + i * strides_[d]);
  }

  std::vector<Dimension> dimensions_;
  std::vector<std::int64_t> strides_; ///< bytes from one index to the next
  const TypeMap &child_;
  TypeMap &map_;
};

Dimension wholeBlock(std::int64_t size, std::int64_t first, std::int64_t length) {
  return {size, first, length > 0 ? 1 : 0, length, 0, 0};
}

Dimension cyclic(std::int64_t size, std::int64_t block, std::int64_t processes,
                 std::int64_t coordinate) {
  const std::int64_t period = block * processes;
  const std::int64_t first = coordinate * block;
  const std::int64_t mine = std::max<std::int64_t>(size - first, 0); // from my first element on
  const std::int64_t rest = mine % period;
  Dimension dimension{size, first, mine / period, block, period, rest};
  if (rest >= block) {
    ++dimension.blocks;
    dimension.tailLength = 0;
  }
  return dimension;
}

Dimension distribute(std::int64_t size, std::int64_t distribution, std::int64_t argument,
                     std::int64_t processes, std::int64_t coordinate) {
  const bool byDefault = argument == MPI_DISTRIBUTE_DFLT_DARG;
  if (distribution == MPI_DISTRIBUTE_CYCLIC)
    return cyclic(size, byDefault ? 1 : argument, processes, coordinate);
  if (distribution == MPI_DISTRIBUTE_NONE)
    return wholeBlock(size, 0, size);
  const std::int64_t block = byDefault ? (size + processes - 1) / processes : argument;
  const std::int64_t first = std::min(coordinate * block, size);
  return wholeBlock(size, first, std::min(block, size - first));
}

void appendGrid(TypeMap &map, std::vector<Dimension> dimensions, int order, const TypeMap &child) {
  if (order == MPI_ORDER_FORTRAN)
    std::reverse(dimensions.begin(), dimensions.end());
  Grid(std::move(dimensions), child, map).append();
}

} // namespace

void appendSubarray(TypeMap &map, const TypeConstructor::Subarray &array, const TypeMap &child) {
  std::vector<Dimension> dimensions;
  dimensions.reserve(array.sizes.size());
  for (std::size_t d = 0; d < array.sizes.size(); ++d)
    dimensions.push_back(wholeBlock(array.sizes[d], array.starts[d], array.subsizes[d]));
  appendGrid(map, std::move(dimensions), array.order, child);
}

void appendDarray(TypeMap &map, const TypeConstructor::Darray &array, const TypeMap &child) {
  std::vector<Dimension> dimensions;
  std::int64_t processes = array.size; // in the remaining dimensions
  std::int64_t rank = array.rank;      // among those; ranks are always in C order
  for (std::size_t d = 0; d < array.globalSizes.size(); ++d) {
    processes /= array.processes[d];
    const std::int64_t coordinate = rank / processes;
    rank %= processes;
    dimensions.push_back(distribute(array.globalSizes[d], array.distributions[d],
                                    array.arguments[d], array.processes[d], coordinate));
  }
  appendGrid(map, std::move(dimensions), array.order, child);
}

} // namespace forerun
