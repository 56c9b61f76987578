// SPDX-License-Identifier: Apache-2.0
#include "TypeLedger.h"

#include <mpi.h>

namespace {

long owed = 0;

bool isToBeFreed(MPI_Datatype datatype) {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count counts = 0;
  MPI_Count datatypes = 0;
  int combiner = 0;
  PMPI_Type_get_envelope_c(datatype, &integers, &addresses, &counts, &datatypes, &combiner);
  return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
         combiner != MPI_COMBINER_F90_INTEGER;
}

} // namespace

long forerun::test::datatypesOwed() { return owed; }

int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count integers, MPI_Count addresses,
                            MPI_Count counts, MPI_Count datatypes, int *integer, MPI_Aint *address,
                            MPI_Count *count, MPI_Datatype *type) {
  const int rc = PMPI_Type_get_contents_c(datatype, integers, addresses, counts, datatypes, integer,
                                          address, count, type);
  for (MPI_Count i = 0; i < datatypes; ++i)
    owed += isToBeFreed(type[i]) ? 1 : 0;
  return rc;
}

int MPI_Type_free(MPI_Datatype *datatype) {
  --owed;
  return PMPI_Type_free(datatype);
}
