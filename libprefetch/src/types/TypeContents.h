// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeConstructor.h"

#include <cstdint>
#include <mpi.h>
#include <span>
#include <vector>

/// \file
/// The constructor call that made a datatype: its combiner and its arguments, as
/// MPI_Type_get_envelope and MPI_Type_get_contents give them, in one order for the int and the
/// MPI_Count form of each constructor. Owns the datatypes among the arguments. Calls MPI, and
/// allocates.

namespace forerun {

class TypeContents {
public:
  explicit TypeContents(MPI_Datatype datatype);
  ~TypeContents();
  TypeContents(const TypeContents &) = delete;
  TypeContents &operator=(const TypeContents &) = delete;

  int combiner() const { return combiner_; } ///< MPI_UNDEFINED if MPI would not tell
  bool isElementary() const;                 ///< named, or one of Fortran's parametrised types
  TypeConstructor constructor() const { return {combiner_, numbers_}; }
  std::span<const MPI_Datatype> types() const { return types_; }

private:
  void normaliseArrays(std::size_t largeCounts);

  int combiner_ = MPI_UNDEFINED;
  std::vector<std::int64_t> numbers_;
  std::vector<MPI_Datatype> types_;
};

} // namespace forerun
