// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_OWNTYPES_H
#define FORERUN_OWNTYPES_H

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
/// them, and neither its locks nor the main thread are waited for.
///
/// Invariants
///  - Their handles are none of MPI's: of MPI's kind "datatype", and marked as invalid, as
///    MPI_DATATYPE_NULL is, from which they count. No handle is given twice.
///  - Only the pre-execution thread ever has such a handle; nothing else touches the table.
///  - What they are made of may go: a type has all that it needs.
///  - There are kMax at most, and none is freed: a slice leaves out most calls that do it. Those that
///    have not been used for longest are forgotten.
/// Allocates: inside PreThread::Unstoppable only.

namespace forerun {

class OwnTypes {
public:
  static constexpr std::size_t kMax = 4096;

  struct Type {
    TypeMap map;
    TypeBounds bounds;
    std::uint64_t elementBytes = 0; ///< of each basic element; 0: they differ
    bool isKnown = false;           ///< else nothing of this is
  };

  /// Whether \p datatype is such a handle: there may be no such type any more.
  static bool mayBe(MPI_Datatype datatype) {
    return datatype > MPI_DATATYPE_NULL && datatype <= kLast;
  }

  /// The type that the call makes of \p children, which may be MPI's; MPI_DATATYPE_NULL: the call is
  /// not valid.
  MPI_Datatype make(const TypeConstructor &made, std::span<const MPI_Datatype> children);
  const Type *find(MPI_Datatype datatype); ///< null: there is none

private:
  static constexpr MPI_Datatype kLast = MPI_DATATYPE_NULL + (1 << 26) - 1;

  struct Kept {
    Type type;
    std::uint64_t lastUse;
  };

  Type look(MPI_Datatype datatype);
  Type made(const TypeConstructor &made, std::span<const MPI_Datatype> children);
  void forgetHalf();

  std::map<MPI_Datatype, Kept> types_;
  std::uint64_t uses_ = 0;
  MPI_Datatype next_ = MPI_DATATYPE_NULL;
};

/// Those of the pre-execution thread, of which a process has one.
OwnTypes &ownTypes();

} // namespace forerun

#endif
