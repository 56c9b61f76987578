// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Plan.h"

#include <mpi.h>
#include <mutex>
#include <string>

/// \file
/// The file under test: one handle, its view, and a second thread that issues prefetches on it.
/// Manual prefetch calls on one file need one order, so they all go through one mutex; reads and
/// writes do not.

namespace stress {

class SharedFile {
public:
  explicit SharedFile(std::string path);

  void open();
  void close();
  void setView(const ViewLayout &view);
  void sync() const; ///< sync, barrier, sync: what others wrote before is seen afterwards
  MPI_File handle() const { return fh_; }

  /// The counterparts of a read that will follow.
  void prefetch(const Operation &op);
  /// Reads the bytes themselves ahead; returns how many were read.
  std::size_t prefetchBytes(const Operation &op, void *buffer);
  /// Any prefetch call with any arguments, from any thread.
  void prefetchAtRandom(std::uint64_t draw);

private:
  std::string path_;
  MPI_File fh_ = MPI_FILE_NULL;
  MPI_Datatype etype_ = MPI_BYTE;
  std::uint64_t etypes_ = 1;
  std::mutex hand_; ///< guards fh_ and the view against the other thread's prefetch calls
};

/// Fails the run with \p rc's text.
void check(int rc, const char *what);

} // namespace stress
