// SPDX-License-Identifier: Apache-2.0
#include "types/TypeContents.h"

#include "base/MpiGate.h"
#include "mpi/LargeCounts.h"

#include <algorithm>
#include <utility>

namespace forerun {

namespace {

bool isElementaryCombiner(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

} // namespace

TypeContents::TypeContents(MPI_Datatype datatype) {
  const InMpi inMpi;
  const Envelope e = envelopeOf(datatype);
  combiner_ = e.combiner;
  if (combiner_ == MPI_UNDEFINED || isElementary())
    return;
  // Nothing is allocated once MPI has given handles: if this throws, nobody frees them.
  numbers_.reserve(static_cast<std::size_t>(e.integers + e.addresses + e.largeCounts));
  Contents contents = contentsOf(datatype, e);
  if (!contents.isKnown) {
    combiner_ = MPI_UNDEFINED;
    return;
  }
  types_ = std::move(contents.datatypes);
  // In both forms, each constructor has its displacements after its counts.
  numbers_.assign(contents.integers.begin(), contents.integers.end());
  numbers_.insert(numbers_.end(), contents.addresses.begin(), contents.addresses.end());
  numbers_.insert(numbers_.end(), contents.largeCounts.begin(), contents.largeCounts.end());
  normaliseArrays(contents.largeCounts.size());
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
