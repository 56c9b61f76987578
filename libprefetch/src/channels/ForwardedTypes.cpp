// SPDX-License-Identifier: Apache-2.0
#include "channels/ForwardedTypes.h"

#include "types/NamedTypes.h"

#include <algorithm>

namespace forerun {
namespace {

bool isNamed(MPI_Datatype type) { return namedTypeBytes(type) != 0 || findPairType(type); }

} // namespace

MPI_Datatype ForwardedTypes::keep(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL || isNamed(type))
    return type;
  const std::size_t count = count_.load(std::memory_order_relaxed);
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  if (count == kMax || PMPI_Type_dup(type, &kept) != MPI_SUCCESS)
    return MPI_DATATYPE_NULL;
  PMPI_Type_commit(&kept);
  types_[count] = kept;
  count_.store(count + 1, std::memory_order_release);
  return kept;
}

void ForwardedTypes::freeAll() {
  const std::size_t count = count_.exchange(0);
  for (std::size_t i = 0; i < count; ++i)
    PMPI_Type_free(&types_[i]);
}

// The last ones are most likely in use.
bool ForwardedTypes::knows(MPI_Datatype type) const {
  const auto first = types_.rend() - static_cast<std::ptrdiff_t>(count_.load());
  return isNamed(type) || std::find(first, types_.rend(), type) != types_.rend();
}

} // namespace forerun
