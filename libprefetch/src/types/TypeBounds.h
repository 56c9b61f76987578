// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_TYPEBOUNDS_H
#define FORERUN_TYPEBOUNDS_H

#include "types/TypeConstructor.h"

#include <cstdint>
#include <span>

/// \file
/// Lower and upper bound of a datatype (MPI-4 section 5.1.7), as MPI has them and without MPI: where
/// the standard leaves a choice (the padding of structs) as MPICH, which does not pad those of one type.

namespace forerun {

struct TypeBounds {
  static constexpr std::int64_t kUnknown = -1;

  std::int64_t lower = 0, upper = 0;
  std::int64_t alignment = 0; ///< of the strictest element; pads the extent of structs

  std::int64_t extent() const { return upper - lower; }
};

/// Those of what the call makes of \p children (one, but for a struct), where there is any data in it.
TypeBounds boundsOf(const TypeConstructor &made, std::span<const TypeBounds> children);
/// ... where there is none: only some constructors give it bounds then.
TypeBounds boundsOfEmpty(const TypeConstructor &made, std::span<const TypeBounds> children);

} // namespace forerun

#endif
