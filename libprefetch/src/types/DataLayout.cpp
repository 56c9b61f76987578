// SPDX-License-Identifier: Apache-2.0
#include "types/DataLayout.h"

#include "types/DatatypeDecoder.h"
#include "types/NamedTypes.h"
#include "types/OwnTypes.h"

#include <optional>
#include <utility>

namespace forerun {

DataLayout::DataLayout(int count, MPI_Datatype datatype) {
  if (count < 0)
    return;
  std::uint64_t elementBytes = namedTypeBytes(datatype);
  contiguous_ = elementBytes > 0;
  if (!contiguous_) {
    std::optional<DecodedType> type = decodeDatatype(datatype);
    if (!type)
      return;
    element_ = std::move(type->map);
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

std::uint64_t denseBytes(int count, MPI_Datatype datatype) {
  std::uint64_t elementBytes = namedTypeBytes(datatype);
  if (const OwnTypes::Type *own = OwnTypes::mayBe(datatype) ? ownTypes().find(datatype) : nullptr;
      own != nullptr && own->isKnown && own->map.isDense() && own->map.startsAtZero())
    elementBytes = own->map.size();
  std::uint64_t bytes = 0;
  return count > 0 &&
                 !__builtin_mul_overflow(elementBytes, static_cast<std::uint64_t>(count), &bytes)
             ? bytes
             : 0;
}

} // namespace forerun
