// SPDX-License-Identifier: Apache-2.0
#include "forerun/standins.h"
#include "mpi/LargeCounts.h"
#include "mpi/StatusBytes.h"
#include "standins/Own.h"
#include "types/NamedTypes.h"
#include "types/OwnTypes.h"

#include <limits>
#include <optional>

/// \file
/// MPI's memory, and queries to MPI. For named datatypes, and those of the thread, the answers are
/// known without MPI; for others MPICH answers without its lock and without memory. But an error in
/// a query, which a slice gone wrong can make, would end the program. So it is checked first.

using forerun::own;
using forerun::OwnTypes;
using forerun::PreThread;

namespace {

bool mayAsk(MPI_Datatype type) {
  const PreThread *self = PreThread::self();
  return self != nullptr && self->mayAsk(type);
}

/// The type if it is the pre-execution thread's own.
const OwnTypes::Type *findOwn(MPI_Datatype type) {
  const OwnTypes::Type *const found = forerun::ownTypes().find(type);
  if (found != nullptr && !found->isKnown)
    PreThread::self()->end("it asks about a datatype that it cannot know");
  return found;
}

/// For a named type, or one of the thread's own; otherwise nothing.
std::optional<std::uint64_t> knownBytes(MPI_Datatype type) {
  if (const std::uint64_t bytes = forerun::namedTypeBytes(type))
    return bytes;
  const OwnTypes::Type *const own = findOwn(type);
  return own != nullptr ? std::optional(own->map.size()) : std::nullopt;
}

/// Per basic element.
std::optional<std::uint64_t> knownElementBytes(MPI_Datatype type) {
  const OwnTypes::Type *const own = findOwn(type);
  if (own != nullptr && own->elementBytes == 0)
    PreThread::self()->end("it counts the elements of a datatype with different ones");
  return own != nullptr ? std::optional(own->elementBytes) : knownBytes(type);
}

/// Each query for counts of type int and MPI_Count, with MPI's own function for the rest.
template <class Count> struct Asked {
  using FromStatus = int (*)(const MPI_Status *status, MPI_Datatype type, Count *count);
  using Known = std::optional<std::uint64_t> (*)(MPI_Datatype type);
  using OfType = int (*)(MPI_Datatype type, Count *count);

  /// MPI_UNDEFINED if there is no such number.
  static Count countOf(const MPI_Status &status, std::uint64_t elementBytes) {
    if (elementBytes == 0)
      return 0;
    const std::uint64_t bytes = forerun::statusBytes(status), count = bytes / elementBytes;
    const bool isNumber = bytes % elementBytes == 0 &&
                          count <= static_cast<std::uint64_t>(std::numeric_limits<Count>::max());
    return isNumber ? static_cast<Count>(count) : Count{MPI_UNDEFINED};
  }

  static int inStatus(FromStatus mpis, Known known, const MPI_Status *status, MPI_Datatype type,
                      Count *count) {
    *own(count) = MPI_UNDEFINED;
    if (!mayAsk(type) || status == MPI_STATUS_IGNORE)
      return MPI_ERR_TYPE;
    const auto bytes = known(type);
    if (!bytes)
      return mpis(status, type, count);
    *count = countOf(*status, *bytes);
    return MPI_SUCCESS;
  }

  static int size(OfType mpis, MPI_Datatype type, Count *size) {
    *own(size) = MPI_UNDEFINED;
    if (!mayAsk(type))
      return MPI_ERR_TYPE;
    const auto bytes = knownBytes(type);
    if (!bytes)
      return mpis(type, size);
    *size = static_cast<Count>(*bytes);
    return MPI_SUCCESS;
  }
};

template <class Address>
int extent(int (*mpis)(MPI_Datatype type, Address *lower, Address *extent), MPI_Datatype type,
           Address *lower, Address *extent) {
  *own(lower) = *own(extent) = 0;
  if (!mayAsk(type))
    return MPI_ERR_TYPE;
  if (const OwnTypes::Type *const found = findOwn(type)) {
    *lower = static_cast<Address>(found->bounds.lower);
    *extent = static_cast<Address>(found->bounds.extent());
    return MPI_SUCCESS;
  }
  const std::uint64_t bytes = forerun::namedTypeBytes(type); // without gaps
  if (bytes == 0)
    return mpis(type, lower, extent);
  *extent = static_cast<Address>(bytes);
  return MPI_SUCCESS;
}

} // namespace

extern "C" {

int forerun_pre_MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  return Asked<int>::inStatus(PMPI_Get_count, knownBytes, status, type, count);
}

int forerun_pre_MPI_Get_count_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
  return Asked<MPI_Count>::inStatus(PMPI_Get_count_c, knownBytes, status, type, count);
}

int forerun_pre_MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
  return Asked<int>::inStatus(PMPI_Get_elements, knownElementBytes, status, type, count);
}

int forerun_pre_MPI_Get_elements_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
  return Asked<MPI_Count>::inStatus(PMPI_Get_elements_c, knownElementBytes, status, type, count);
}

int forerun_pre_MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
  return Asked<MPI_Count>::inStatus(PMPI_Get_elements_x, knownElementBytes, status, type, count);
}

int forerun_pre_MPI_Type_size_x(MPI_Datatype type, MPI_Count *size) {
  return Asked<MPI_Count>::size(PMPI_Type_size_x, type, size);
}

int forerun_pre_MPI_Type_size(MPI_Datatype type, int *size) {
  return Asked<int>::size(PMPI_Type_size, type, size);
}

int forerun_pre_MPI_Type_size_c(MPI_Datatype type, MPI_Count *size) {
  return Asked<MPI_Count>::size(PMPI_Type_size_c, type, size);
}

int forerun_pre_MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  return ::extent(PMPI_Type_get_extent, type, lower, extent);
}

int forerun_pre_MPI_Type_get_extent_c(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  return ::extent(PMPI_Type_get_extent_c, type, lower, extent);
}

/// \p block is a pointer to the pointer, as in MPI.
int forerun_pre_MPI_Alloc_mem(MPI_Aint bytes, MPI_Info /*info*/, void *block) {
  void *made = bytes >= 0 ? forerun_pre_malloc(static_cast<size_t>(bytes)) : nullptr;
  *own(static_cast<void **>(block)) = made;
  return made != nullptr ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int forerun_pre_MPI_Free_mem(void *block) {
  forerun_pre_free(block);
  return MPI_SUCCESS;
}

int forerun_pre_MPI_Get_address(const void *location, MPI_Aint *address) {
  *own(address) = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}

int forerun_pre_MPI_Address(void *location, MPI_Aint *address) {
  return forerun_pre_MPI_Get_address(location, address);
}
}
