// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeMap.h"

#include <cstdint>
#include <span>

/// \file
/// A call that makes a datatype: its combiner and its arguments (MPI-4 section 5.1.13), except the
/// datatypes among them. Calls no MPI.

namespace forerun {

struct TypeConstructor {
  int combiner; ///< MPI_COMBINER_...
  /// Counts, lengths, strides and displacements in the order of the constructor's arguments, which
  /// is the same for its int and its MPI_Count form.
  std::span<const std::int64_t> numbers;

  bool isStruct() const;

  // ---- arguments in parts ----
  std::size_t count() const { return static_cast<std::size_t>(numbers[0]); }
  /// The blocks of constructors that have a list of them; one length may apply to all.
  struct Blocks {
    std::span<const std::int64_t> lengths, displacements;
    bool ofOneLength;
    std::int64_t length(std::size_t block) const { return lengths[ofOneLength ? 0 : block]; }
  };
  bool hasBlocks() const;
  Blocks blocks() const;
  bool countsExtents() const; ///< displacements, or the stride, are in extents and not in bytes

  /// Arguments of the two array constructors, one element per dimension, first dimension first.
  struct Subarray {
    std::span<const std::int64_t> sizes, subsizes, starts;
    int order;
  };
  struct Darray {
    int size, rank;
    std::span<const std::int64_t> globalSizes, distributions, arguments, processes;
    int order;
  };
  Subarray subarray() const;
  Darray darray() const;
};

/// Appends what the call makes of \p children (one, except for a struct; empty ones add nothing, and
/// one of which there are zero may be null). False: the constructor is unknown.
bool appendConstructed(TypeMap &map, const TypeConstructor &made,
                       std::span<const TypeMap *const> children);

} // namespace forerun
