// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/OwnHandles.h"
#include "types/TypeBounds.h"
#include "types/TypeConstructor.h"
#include "types/TypeMap.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mpi.h>
#include <span>

/// \file
/// Datatypes that the pre-execution thread makes for itself, as maps of bytes: MPI does not know
/// them, so no wait for its locks or for the main thread is needed.
///
/// Invariants
///  - Their handles are not MPI's (mpi/OwnHandles.h). No handle is given twice.
///  - Only the pre-execution thread ever has such a handle; nothing else touches the table.
///  - The types that it is made of may be freed: a type holds all that it needs.
///  - There are at most kMax, of at most kMaxRuns runs together (but for the last one made), and none
///    is freed: a slice leaves out most calls that free them. The least recently used are forgotten.
/// Allocates: only inside PreThread::Unstoppable.

namespace forerun {

class OwnTypes {
public:
  static constexpr std::size_t kMax = 4096;
  static constexpr std::size_t kMaxRuns = 2 * TypeMap::kMaxRuns; ///< 80 MiB

  struct Type {
    TypeMap map;
    TypeBounds bounds;
    std::uint64_t elementBytes = 0; ///< per basic element; 0: they differ
    bool isKnown = false;           ///< otherwise none of this is known
    bool isMarked = false;          ///< its bounds are those of MPI-1's markers, or such are in it
  };

  /// Whether \p datatype is such a handle; its type may have been forgotten.
  static bool mayBe(MPI_Datatype datatype) { return isOwnHandle(datatype); }

  /// The type that the call makes of \p children, which may be MPI's; MPI_DATATYPE_NULL: the call
  /// is invalid.
  MPI_Datatype make(const TypeConstructor &made, std::span<const MPI_Datatype> children);
  const Type *find(MPI_Datatype datatype); ///< null: there is none

private:
  struct Kept {
    Type type;
    std::uint64_t lastUse;
  };

  static Type decoded(MPI_Datatype mpis);
  Type made(const TypeConstructor &made, std::span<const MPI_Datatype> children);
  Type structOrBlocks(const TypeConstructor &made, std::span<const MPI_Datatype> children);
  Type marked(const TypeConstructor &made, std::span<const MPI_Datatype> children);
  MPI_Datatype keep(Type type);
  void forgetHalf();
  std::size_t countRuns() const;

  std::map<MPI_Datatype, Kept> types_;
  std::size_t mostRuns_ = 0; ///< there are no more than so many
  std::uint64_t uses_ = 0;
  std::size_t next_ = 0; ///< number of the next handle
};

/// Whether it is one of MPI-1's markers of bounds, which only a struct may have among its types.
bool isMarker(MPI_Datatype type);

/// The types of the pre-execution thread; a process has one such thread.
OwnTypes &ownTypes();

} // namespace forerun
