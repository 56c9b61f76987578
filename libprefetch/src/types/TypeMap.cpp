// SPDX-License-Identifier: Apache-2.0
#include "types/TypeMap.h"

#include <utility>

namespace forerun {

TypeMap TypeMap::dense(std::uint64_t size) {
  TypeMap map;
  map.append(0, size);
  map.finish(static_cast<std::int64_t>(size));
  return map;
}

void TypeMap::append(std::int64_t offset, std::uint64_t length) {
  if (length == 0)
    return;
  stopSharing();
  ++steps_;
  if (open_.length > 0 && open_.offset + static_cast<std::int64_t>(open_.length) == offset) {
    open_.length += length;
    return;
  }
  closeOpenSegment();
  open_.offset = offset;
  open_.length = length;
}

void TypeMap::appendStrided(std::int64_t offset, std::uint64_t length, std::int64_t stride,
                            std::uint64_t repeats) {
  if (repeats == 0)
    return;
  if (repeats == 1 || stride == static_cast<std::int64_t>(length)) {
    append(offset, length * repeats);
    return;
  }
  // The first segment may touch what precedes, the last one what follows; the others stand alone.
  append(offset, length);
  if (repeats > 2 && length > 0) {
    closeOpenSegment();
    addRun({offset + stride, length, stride, repeats - 2, 0});
  }
  append(offset + static_cast<std::int64_t>(repeats - 1) * stride, length);
}

void TypeMap::appendBlocks(std::int64_t offset, std::int64_t blocks, std::int64_t blockLength,
                           std::int64_t stride, const TypeMap &child) {
  if (blocks <= 0 || blockLength <= 0 || child.size_ == 0)
    return;
  if (blocks == 1 && blockLength == 1 && offset == 0 && !hasData()) {
    runs_ = child.runs_;
    return;
  }
  stopSharing();
  const auto count = static_cast<std::uint64_t>(blocks);
  const auto copies = static_cast<std::uint64_t>(blockLength);
  if (child.isDense()) {
    appendStrided(offset + child.runs().front().offset, child.size_ * copies, stride, count);
  } else if (copies == 1) {
    appendCopies(offset, count, stride, child);
  } else {
    for (std::uint64_t i = 0; i < count && !overfull(); ++i)
      appendCopies(offset + static_cast<std::int64_t>(i) * stride, copies, child.extent_, child);
  }
}

void TypeMap::appendCopies(std::int64_t offset, std::uint64_t copies, std::int64_t distance,
                           const TypeMap &child) {
  const Run &first = child.runs().front();
  if (child.runs().size() == 1 && first.repeats == 1) {
    appendStrided(offset + first.offset, first.length, distance, copies);
    return;
  }
  for (std::uint64_t i = 0; i < copies && !overfull(); ++i)
    appendRuns(offset + static_cast<std::int64_t>(i) * distance, child.runs());
}

void TypeMap::appendRuns(std::int64_t origin, std::span<const Run> runs) {
  for (const Run &run : runs)
    appendStrided(origin + run.offset, run.length, run.stride, run.repeats);
}

/// Something follows the child whose runs it has: it gets runs of its own.
void TypeMap::stopSharing() {
  if (const std::shared_ptr<const Runs> childs = std::exchange(runs_, nullptr))
    appendRuns(0, *childs);
}

void TypeMap::finish(std::int64_t extent) {
  closeOpenSegment();
  extent_ = extent;
  if (!building_.empty()) {
    std::uint64_t before = 0;
    for (Run &run : building_) {
      run.before = before;
      before += run.length * run.repeats;
    }
    building_.shrink_to_fit();
    runs_ = std::make_shared<const Runs>(std::exchange(building_, {}));
  }
  if (runs().empty())
    return;
  const Run &last = runs().back();
  size_ = last.before + last.length * last.repeats;
  dense_ =
      runs().size() == 1 && last.repeats == 1 && static_cast<std::int64_t>(last.length) == extent;
}

void TypeMap::closeOpenSegment() {
  if (open_.length == 0)
    return;
  addRun(open_);
  open_.length = 0;
}

void TypeMap::addRun(const Run &run) {
  ++steps_;
  if (overfull())
    return;
  if (!building_.empty() && building_.back().length == run.length) {
    Run &last = building_.back();
    const std::int64_t distance = run.offset - last.offset;
    if (last.repeats == 1 && (run.repeats == 1 || run.stride == distance)) {
      last.stride = distance;
      last.repeats += run.repeats;
      return;
    }
    if (last.repeats > 1 && distance == last.stride * static_cast<std::int64_t>(last.repeats) &&
        (run.repeats == 1 || run.stride == last.stride)) {
      last.repeats += run.repeats;
      return;
    }
  }
  building_.push_back(run);
}

std::size_t TypeMap::runAt(std::uint64_t position) const {
  const std::span<const Run> runs = this->runs();
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), position,
                       [](std::uint64_t value, const Run &run) { return value < run.before; });
  return static_cast<std::size_t>(after - runs.begin()) - 1;
}

} // namespace forerun
