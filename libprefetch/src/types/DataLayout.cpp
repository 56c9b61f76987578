// SPDX-License-Identifier: Apache-2.0
#include "types/DataLayout.h"

#include "types/DatatypeDecoder.h"
#include "types/NamedTypes.h"

#include <optional>
#include <utility>

namespace forerun {

DataLayout::DataLayout(int count, MPI_Datatype datatype) {
  if (count < 0)
    return;
  std::uint64_t elementBytes = namedTypeBytes(datatype);
  contiguous_ = elementBytes > 0;
  if (!contiguous_) {
    std::optional<TypeMap> map = decodeDatatype(datatype);
    if (!map)
      return;
    element_ = std::move(*map);
    elementBytes = element_.size();
  }
  known_ = !__builtin_mul_overflow(elementBytes, static_cast<std::uint64_t>(count), &bytes_);
}

std::uint64_t dataBytes(int count, MPI_Datatype datatype) {
  if (count <= 0)
    return 0;
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(typeBytes(datatype), static_cast<std::uint64_t>(count), &bytes)
             ? 0
             : bytes;
}

} // namespace forerun
