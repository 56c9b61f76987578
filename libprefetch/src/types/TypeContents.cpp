// SPDX-License-Identifier: Apache-2.0
#include "types/TypeContents.h"

#include "base/MpiGate.h"

#include <algorithm>

namespace forerun {

namespace {

bool isElementaryCombiner(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

struct Envelope {
  MPI_Count integers = 0, addresses = 0, largeCounts = 0, datatypes = 0;
  int combiner = MPI_UNDEFINED;
};

Envelope envelopeOf(MPI_Datatype datatype) {
  Envelope e;
  if (MPI_Type_get_envelope_c(datatype, &e.integers, &e.addresses, &e.largeCounts, &e.datatypes,
                              &e.combiner) != MPI_SUCCESS)
    e.combiner = MPI_UNDEFINED;
  return e;
}

} // namespace

TypeContents::TypeContents(MPI_Datatype datatype) {
  const InMpi inMpi;
  const Envelope e = envelopeOf(datatype);
  combiner_ = e.combiner;
  if (combiner_ == MPI_UNDEFINED || isElementary())
    return;
  std::vector<int> integers(static_cast<std::size_t>(e.integers));
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(e.addresses));
  std::vector<MPI_Count> largeCounts(static_cast<std::size_t>(e.largeCounts));
  numbers_.reserve(integers.size() + addresses.size() + largeCounts.size());
  types_.resize(static_cast<std::size_t>(e.datatypes));
  if (MPI_Type_get_contents_c(datatype, e.integers, e.addresses, e.largeCounts, e.datatypes,
                              integers.data(), addresses.data(), largeCounts.data(),
                              types_.data()) != MPI_SUCCESS) {
    types_.clear();
    combiner_ = MPI_UNDEFINED;
    return;
  }
  // In both forms, each constructor has its displacements after its counts.
  numbers_.assign(integers.begin(), integers.end());
  numbers_.insert(numbers_.end(), addresses.begin(), addresses.end());
  numbers_.insert(numbers_.end(), largeCounts.begin(), largeCounts.end());
  normaliseArrays(largeCounts.size());
}

TypeContents::~TypeContents() {
  const InMpi inMpi;
  for (MPI_Datatype &type : types_)
    if (!isElementaryCombiner(envelopeOf(type).combiner))
      MPI_Type_free(&type);
}

bool TypeContents::isElementary() const { return isElementaryCombiner(combiner_); }

/// Only the array constructors mix ints and counts: the MPI_Count form has the sizes after all
/// ints. Moves them to where the int form has them.
void TypeContents::normaliseArrays(std::size_t largeCounts) {
  if (largeCounts == 0)
    return;
  if (combiner_ == MPI_COMBINER_SUBARRAY) // ndims, order | sizes, subsizes, starts
    std::rotate(numbers_.begin() + 1, numbers_.begin() + 2, numbers_.end());
  if (combiner_ == MPI_COMBINER_DARRAY) // size, rank, ndims, ..., order | global sizes
    std::rotate(numbers_.begin() + 3, numbers_.end() - static_cast<std::ptrdiff_t>(largeCounts),
                numbers_.end());
}

} // namespace forerun
