// SPDX-License-Identifier: Apache-2.0
#include "Rules.h"

#include <algorithm>
#include <utility>

namespace litmus {

Rules::Rules(int ranks, std::vector<int> fileOfHandle, std::vector<int> fileOfCell)
    : ranks_(ranks), fileOfHandle_(std::move(fileOfHandle)), atomic_(fileOfHandle_.size()),
      cells_(fileOfCell.size()), seen_(at(ranks) * fileOfHandle_.size() * fileOfCell.size()),
      atomically_(fileOfHandle_.size() * fileOfCell.size()) {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    cells_[cell].file = fileOfCell[cell];
}

Rules::Seen &Rules::seen(int rank, int handle, int cell) {
  return seen_[(at(rank) * fileOfHandle_.size() + at(handle)) * cells_.size() + at(cell)];
}

const Rules::Seen &Rules::seen(int rank, int handle, int cell) const {
  return seen_[(at(rank) * fileOfHandle_.size() + at(handle)) * cells_.size() + at(cell)];
}

bool Rules::mayWrite(int rank, int handle, int cell) const {
  const Cell &it = cells_[at(cell)];
  return it.file == fileOfHandle_[at(handle)] && !it.posted &&
         (!it.writtenNow || it.writer == rank) && seen(rank, handle, cell).least == it.latest;
}

int Rules::begin(int rank, int cell) {
  Cell &it = cells_[at(cell)];
  it.writer = rank;
  it.writtenNow = true;
  return ++it.latest;
}

void Rules::written(int rank, int handle, int cell) {
  const int version = cells_[at(cell)].latest;
  seen(rank, handle, cell).written = version;
  for (int each = 0; each < static_cast<int>(fileOfHandle_.size()); ++each)
    seen(rank, each, cell).least = version;
  if (atomic_[at(handle)])
    atomically_[at(handle) * cells_.size() + at(cell)] = version;
}

int Rules::write(int rank, int handle, int cell) {
  const int version = begin(rank, cell);
  written(rank, handle, cell);
  return version;
}

int Rules::post(int rank, int handle, int cell) {
  cells_[at(cell)].posted = true;
  cells_[at(cell)].postedBy = handle;
  return begin(rank, cell);
}

void Rules::complete(int cell) {
  Cell &it = cells_[at(cell)];
  it.posted = false;
  written(it.writer, it.postedBy, cell);
}

void Rules::close(int rank, int handle) {
  for (int cell = 0; cell < static_cast<int>(cells_.size()); ++cell)
    cells_[at(cell)].synced = std::max(cells_[at(cell)].synced, seen(rank, handle, cell).written);
}

void Rules::open(int rank, int handle) {
  for (int cell = 0; cell < static_cast<int>(cells_.size()); ++cell)
    seen(rank, handle, cell).least =
        std::max(seen(rank, handle, cell).least, cells_[at(cell)].published);
}

void Rules::sync(int rank, int handle) {
  close(rank, handle);
  open(rank, handle);
}

void Rules::setAtomic(int handle, bool atomic) {
  atomic_[at(handle)] = atomic;
  if (!atomic)
    std::fill_n(atomically_.begin() + handle * static_cast<std::ptrdiff_t>(cells_.size()),
                cells_.size(), 0);
}

void Rules::endRound() {
  for (Cell &cell : cells_) {
    cell.published = cell.synced;
    // A write that is still in flight concerns other processes in the next round, too.
    cell.writtenNow = cell.posted;
  }
  for (int handle = 0; handle < static_cast<int>(fileOfHandle_.size()); ++handle)
    for (int cell = 0; cell < static_cast<int>(cells_.size()); ++cell)
      for (int rank = 0; rank < ranks_; ++rank)
        seen(rank, handle, cell).least = std::max(
            seen(rank, handle, cell).least, atomically_[at(handle) * cells_.size() + at(cell)]);
}

Versions Rules::allowed(int rank, int handle, int cell) const {
  return {seen(rank, handle, cell).least, cells_[at(cell)].latest};
}

Versions Rules::allowedToAnyRank(int handle, int cell) const {
  Versions any = allowed(0, handle, cell);
  for (int rank = 1; rank < ranks_; ++rank)
    any.least = std::min(any.least, allowed(rank, handle, cell).least);
  return any;
}

Versions Rules::concurrently(Versions then, int rank, int cell) const {
  const Cell &it = cells_[at(cell)];
  return it.writtenNow && it.writer != rank ? Versions{then.least, it.latest} : then;
}

} // namespace litmus
