// SPDX-License-Identifier: Apache-2.0
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <algorithm>
#include <cstddef>
#include <optional>

/// \file
/// What a program asks of a communicator: its size, the rank, its grid. For one that the main thread
/// has handed over, MPI_COMM_WORLD and MPI_COMM_SELF, the pre-execution thread knows it, and neither
/// waits nor calls MPI. Each function returns 1 where it does; otherwise 0: then the values come
/// from the main thread. Where a prediction of the handle was wrong, what is found is undone with it.

using forerun::Grid;
using forerun::Group;
using forerun::PreThread;

namespace {

class Asked {
public:
  Asked(int site, int values, MPI_Comm comm)
      : self_(PreThread::predicting()), site_(site), values_(values) {
    if (self_ != nullptr)
      group_ = self_->groups().find(comm);
  }

  explicit operator bool() const { return group_ != nullptr; }
  int me() const { return group_->me; }
  int size() const { return static_cast<int>(group_->ranks.size()); }
  const Grid *grid() const { return group_ != nullptr && group_->grid ? &*group_->grid : nullptr; }
  bool has(int rank) const { return rank >= 0 && rank < size(); }

  void give(int *to, int value) { *self_->own(to) = value; }
  /// For a value of each dimension.
  int *array(int *to) {
    const std::size_t bytes = grid()->dims.size() * sizeof *to;
    return bytes != 0 ? static_cast<int *>(self_->own(static_cast<void *>(to), bytes)) : to;
  }
  /// The main thread's values are not wanted.
  int done() {
    self_->skip(site_, values_);
    return 1;
  }

private:
  PreThread *self_;
  const Group *group_ = nullptr;
  int site_, values_;
};

/// Whether an array of \p most elements has room for a coordinate of each dimension.
bool fits(const Grid &grid, int most) {
  return most >= 0 && static_cast<std::size_t>(most) >= grid.dims.size();
}

} // namespace

extern "C" {

int forerun_pre_MPI_Comm_rank(int site, int values, MPI_Comm comm, int *rank) {
  Asked call(site, values, comm);
  if (!call)
    return 0;
  call.give(rank, call.me());
  return call.done();
}

int forerun_pre_MPI_Comm_size(int site, int values, MPI_Comm comm, int *size) {
  Asked call(site, values, comm);
  if (!call)
    return 0;
  call.give(size, call.size());
  return call.done();
}

int forerun_pre_MPI_Cart_coords(int site, int values, MPI_Comm comm, int rank, int most,
                                int *coords) {
  Asked call(site, values, comm);
  const Grid *const grid = call.grid();
  if (grid == nullptr || !call.has(rank) || !fits(*grid, most))
    return 0;
  grid->coordsOf(rank, call.array(coords));
  return call.done();
}

int forerun_pre_MPI_Cart_rank(int site, int values, MPI_Comm comm, const int *coords, int *rank) {
  Asked call(site, values, comm);
  const Grid *const grid = call.grid();
  const auto found = grid != nullptr ? grid->rankOf(coords) : std::nullopt;
  if (!found)
    return 0;
  call.give(rank, *found);
  return call.done();
}

int forerun_pre_MPI_Cart_shift(int site, int values, MPI_Comm comm, int direction, int distance,
                               int *source, int *target) {
  Asked call(site, values, comm);
  const Grid *const grid = call.grid();
  const auto found = grid != nullptr ? grid->shift(call.me(), direction, distance) : std::nullopt;
  if (!found)
    return 0;
  call.give(source, found->source);
  call.give(target, found->target);
  return call.done();
}

int forerun_pre_MPI_Cart_get(int site, int values, MPI_Comm comm, int most, int *dims, int *periods,
                             int *coords) {
  Asked call(site, values, comm);
  const Grid *const grid = call.grid();
  if (grid == nullptr || !fits(*grid, most))
    return 0;
  std::copy(grid->dims.begin(), grid->dims.end(), call.array(dims));
  std::copy(grid->periods.begin(), grid->periods.end(), call.array(periods));
  grid->coordsOf(call.me(), call.array(coords));
  return call.done();
}

int forerun_pre_MPI_Cartdim_get(int site, int values, MPI_Comm comm, int *dims) {
  Asked call(site, values, comm);
  if (call.grid() == nullptr)
    return 0;
  call.give(dims, static_cast<int>(call.grid()->dims.size()));
  return call.done();
}
}
