// SPDX-License-Identifier: Apache-2.0
#include "Rank.h"
#include "Random.h"

#include <utility>

/// \file
/// How a rank proceeds from phase to phase; its single operations are in RankOperations.cpp.

namespace stress {

Rank::Rank(const Config &config, SharedFile &file, std::function<void()> beforeEach)
    : config_(config), file_(file), beforeEach_(std::move(beforeEach)) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  view_.visibleBytes = config_.fullBytes();
}

void Rank::fillFile() {
  writeChunks(0, 1, config_.seed);
  file_.sync();
}

/// Writes every \p step-th chunk from \p first on, each by one rank; requires a plain view.
void Rank::writeChunks(std::uint64_t first, std::uint64_t step, std::uint64_t stamp) {
  const std::uint64_t bytes = config_.chunkBytes;
  const auto ranks = static_cast<std::uint64_t>(config_.ranks);
  for (std::uint64_t i = first; i < 2 * ranks; i += step) {
    const std::vector<std::uint8_t> data = pattern(stamp + i, bytes);
    model_.write(view_, i * bytes, data);
    if (i / 2 == static_cast<std::uint64_t>(rank_))
      check(MPI_File_write_at(file_.handle(), static_cast<MPI_Offset>(i * bytes), data.data(),
                              static_cast<int>(bytes), MPI_BYTE, MPI_STATUS_IGNORE),
            "write_at");
  }
}

void Rank::run(const Phase &phase, int number) {
  number_ = number;
  enter(phase);
  int count = 0;
  for (const Operation &op : phase.operations[static_cast<std::size_t>(rank_)]) {
    where_ = "seed " + std::to_string(config_.seed) + ", rank " + std::to_string(rank_) +
             ", phase " + std::to_string(number) + " (kind " +
             std::to_string(static_cast<int>(phase.kind)) + "), operation " +
             std::to_string(count++);
    beforeEach_();
    carryOut(op);
    ++tally_.operations;
  }
  leave(phase);
}

void Rank::enter(const Phase &phase) {
  view_ = phase.views[static_cast<std::size_t>(rank_)];
  file_.setView(view_);
  if (phase.kind == PhaseKind::Tail) {
    check(MPI_File_set_size(file_.handle(), static_cast<MPI_Offset>(phase.cutBytes)), "set_size");
    model_.resize(phase.cutBytes);
    file_.sync();
  }
}

void Rank::leave(const Phase &phase) {
  file_.sync();
  for (std::size_t other = 0; other < phase.operations.size(); ++other)
    for (const Operation &op : phase.operations[other])
      if (isWrite(op.action) && other != static_cast<std::size_t>(rank_)) {
        const ViewLayout &view = phase.views[other];
        model_.write(view, op.start * view.etypeBytes,
                     pattern(op.stamp, op.count * view.etypeBytes));
      }
  if (phase.kind == PhaseKind::Tail)
    cross(Border::Resize);
  cross(phase.border);
}

/// Cuts the file in half and restores its length: zeros, and every other chunk written anew.
void Rank::cutAndFill() {
  const std::uint64_t full = config_.fullBytes();
  check(MPI_File_set_size(file_.handle(), static_cast<MPI_Offset>(full / 2)), "set_size");
  check(MPI_File_set_size(file_.handle(), static_cast<MPI_Offset>(full)), "set_size");
  model_.resize(full / 2);
  model_.resize(full);
  view_ = ViewLayout();
  view_.visibleBytes = full;
  file_.setView(view_);
  file_.sync();
  writeChunks(static_cast<std::uint64_t>(config_.ranks), 2,
              Random::mix(config_.seed + static_cast<std::uint64_t>(number_)));
}

void Rank::cross(Border border) {
  switch (border) {
  case Border::Nothing:
    return;
  case Border::Resize:
    cutAndFill();
    break;
  case Border::Preallocate:
    check(MPI_File_preallocate(file_.handle(), static_cast<MPI_Offset>(config_.fullBytes())),
          "preallocate");
    break;
  case Border::Atomic:
    atomic_ = !atomic_;
    check(MPI_File_set_atomicity(file_.handle(), atomic_ ? 1 : 0), "set_atomicity");
    break;
  case Border::Reopen:
    file_.close();
    file_.open();
    atomic_ = false;
    return;
  }
  file_.sync();
}

} // namespace stress
