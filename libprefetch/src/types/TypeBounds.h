// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeConstructor.h"

#include <cstdint>
#include <span>

/// \file
/// Lower and upper bound of a datatype (MPI-4 section 5.1.7), as in MPI but without it. Where the
/// standard leaves a choice (padding of structs), as in MPICH, which pads none of one type.

namespace forerun {

struct TypeBounds {
  static constexpr std::int64_t kUnknown = -1;

  std::int64_t lower = 0, upper = 0;
  std::int64_t alignment = 0; ///< of the strictest element; pads the extent of structs

  std::int64_t extent() const { return upper - lower; }
};

/// The bounds of what the call makes of \p children (one, except for a struct), if it has any data.
TypeBounds boundsOf(const TypeConstructor &made, std::span<const TypeBounds> children);
/// The bounds if it has none: then only some constructors give it bounds.
TypeBounds boundsOfEmpty(const TypeConstructor &made, std::span<const TypeBounds> children);

} // namespace forerun
