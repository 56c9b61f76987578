// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/MeetMpi.h"

#include <mpi.h>
#include <vector>

/// \file
/// Functions with arguments of type MPI_Count, which MPI has from 4.0 on: MPICH 3 and Open MPI 5 lack
/// them. Nothing else here calls an MPI function whose name ends in _c.

#if MPI_VERSION < 4
extern "C" {
int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int PMPI_Type_size_c(MPI_Datatype type, MPI_Count *size);
int PMPI_Type_get_extent_c(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int MPI_Type_size_c(MPI_Datatype type, MPI_Count *size);
int MPI_Type_get_extent_c(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int MPI_Type_get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses,
                            MPI_Count *largeCounts, MPI_Count *datatypes, int *combiner);
int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count maxIntegers, MPI_Count maxAddresses,
                            MPI_Count maxLargeCounts, MPI_Count maxDatatypes, int integers[],
                            MPI_Aint addresses[], MPI_Count largeCounts[],
                            MPI_Datatype datatypes[]);
}
#endif

namespace forerun {

inline int typeSize(MPI_Datatype type, MPI_Count *size) {
  const int rc = MPI_Type_size_c(type, size);
  return rc == kForerunMissing ? MPI_Type_size_x(type, size) : rc;
}

inline int typeExtent(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  const int rc = MPI_Type_get_extent_c(type, lower, extent);
  return rc == kForerunMissing ? MPI_Type_get_extent_x(type, lower, extent) : rc;
}

struct Envelope {
  MPI_Count integers = 0, addresses = 0, largeCounts = 0, datatypes = 0;
  int combiner = MPI_UNDEFINED; ///< so that it stays if MPI would not tell
};

inline Envelope envelopeOf(MPI_Datatype type) {
  Envelope e;
  int rc = MPI_Type_get_envelope_c(type, &e.integers, &e.addresses, &e.largeCounts, &e.datatypes,
                                   &e.combiner);
  if (rc == kForerunMissing) {
    int integers = 0, addresses = 0, datatypes = 0;
    rc = MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &e.combiner);
    e.integers = integers;
    e.addresses = addresses;
    e.datatypes = datatypes;
  }
  return rc == MPI_SUCCESS ? e : Envelope();
}

struct Contents {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> largeCounts;
  std::vector<MPI_Datatype> datatypes; ///< the caller frees those that are not named
  bool isKnown = false;
};

inline Contents contentsOf(MPI_Datatype type, const Envelope &e) {
  Contents c{std::vector<int>(static_cast<std::size_t>(e.integers)),
             std::vector<MPI_Aint>(static_cast<std::size_t>(e.addresses)),
             std::vector<MPI_Count>(static_cast<std::size_t>(e.largeCounts)),
             std::vector<MPI_Datatype>(static_cast<std::size_t>(e.datatypes))};
  int rc = MPI_Type_get_contents_c(type, e.integers, e.addresses, e.largeCounts, e.datatypes,
                                   c.integers.data(), c.addresses.data(), c.largeCounts.data(),
                                   c.datatypes.data());
  if (rc == kForerunMissing)
    rc = MPI_Type_get_contents(type, static_cast<int>(e.integers), static_cast<int>(e.addresses),
                               static_cast<int>(e.datatypes), c.integers.data(), c.addresses.data(),
                               c.datatypes.data());
  c.isKnown = rc == MPI_SUCCESS;
  return c;
}

} // namespace forerun
