// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/Exchanged.h"

#include <cstddef>
#include <mpi.h>

/// \file
/// Where the part of each process of a communicator lies in a buffer, as given to collective calls.

namespace forerun {

class Parts {
public:
  /// The same count for each, one after the other.
  Parts(int count, MPI_Datatype type) : count_(count), type_(type) {}
  /// `counts[rank]` elements at `displacements[rank]`; no displacements: one after the other.
  Parts(const int *counts, const int *displacements, MPI_Datatype type)
      : counts_(counts), displacements_(displacements), type_(type) {}

  /// To be called first: whether each of this many parts can be exchanged.
  bool measure(int parts);

  std::size_t bytes(int rank) const {
    return elementBytes_ * static_cast<std::size_t>(count(rank));
  }
  std::size_t allBytes() const { return bytesBefore(parts_); }
  Bytes of(const void *buffer, int rank) const;
  /// Copies into the part of \p rank.
  void fill(Exchanged &call, void *buffer, int rank, const void *from) const;
  /// Copies into all parts what lies one after the other in \p packed.
  void unpack(Exchanged &call, void *buffer, const std::byte *packed) const;

private:
  int count(int rank) const { return counts_ != nullptr ? counts_[rank] : count_; }
  std::size_t bytesBefore(int rank) const;
  std::ptrdiff_t place(int rank) const;

  const int *counts_ = nullptr, *displacements_ = nullptr;
  int count_ = 0, parts_ = 0;
  MPI_Datatype type_;
  std::size_t elementBytes_ = 0;
};

} // namespace forerun
