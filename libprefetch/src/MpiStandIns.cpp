// SPDX-License-Identifier: Apache-2.0
#include "PreThread.h"
#include "Runtime.h"
#include "forerun/standins.h"

/// \file
/// MPI's memory, and MPI's questions. MPICH answers them without its lock and without memory; but
/// an error in one, which a slice gone wrong can make, would end the program. So what is asked is
/// looked at first.

using forerun::PreThread;
using forerun::Runtime;

namespace {

bool mayAsk(MPI_Datatype type) {
  return PreThread::self() != nullptr && Runtime::get().forwardedTypes().knows(type);
}

} // namespace

extern "C" {

int forerun_pre_MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  *count = MPI_UNDEFINED;
  return mayAsk(type) && status != MPI_STATUS_IGNORE ? PMPI_Get_count(status, type, count)
                                                     : MPI_ERR_TYPE;
}

int forerun_pre_MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
  *count = MPI_UNDEFINED;
  return mayAsk(type) && status != MPI_STATUS_IGNORE ? PMPI_Get_elements(status, type, count)
                                                     : MPI_ERR_TYPE;
}

int forerun_pre_MPI_Type_size(MPI_Datatype type, int *size) {
  *size = MPI_UNDEFINED;
  return mayAsk(type) ? PMPI_Type_size(type, size) : MPI_ERR_TYPE;
}

int forerun_pre_MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
  *lower = *extent = 0;
  return mayAsk(type) ? PMPI_Type_get_extent(type, lower, extent) : MPI_ERR_TYPE;
}

/// \p block is a pointer to the pointer, as MPI's is.
int forerun_pre_MPI_Alloc_mem(MPI_Aint bytes, MPI_Info /*info*/, void *block) {
  void *made = bytes >= 0 ? forerun_pre_malloc(static_cast<size_t>(bytes)) : nullptr;
  *static_cast<void **>(block) = made;
  return made != nullptr ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int forerun_pre_MPI_Free_mem(void *block) {
  forerun_pre_free(block);
  return MPI_SUCCESS;
}

int forerun_pre_MPI_Get_address(const void *location, MPI_Aint *address) {
  return PMPI_Get_address(location, address);
}
}
