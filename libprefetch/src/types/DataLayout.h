// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_DATALAYOUT_H
#define FORERUN_DATALAYOUT_H

#include "types/TypeMap.h"

#include <cstddef>
#include <cstdint>
#include <mpi.h>

/// \file
/// How (buffer, count, datatype) lies in memory, for calls that bring bytes.
///
/// Threads: the constructor calls MPI and allocates unless \p datatype is a named one (see
/// DatatypeDecoder); everything else does neither.

namespace forerun {

class DataLayout {
public:
  DataLayout(int count, MPI_Datatype datatype);

  bool known() const { return known_; }
  std::uint64_t bytes() const { return bytes_; } ///< of data; 0 if not known

  /// Puts \p length bytes from \p data to where bytes [start, start + length) of the data lie in
  /// \p buffer. What would lie after the last element is not written.
  void scatter(void *buffer, std::uint64_t start, const void *data, std::size_t length) const;

private:
  TypeMap element_;
  std::uint64_t bytes_ = 0;
  bool contiguous_ = false;
  bool known_ = false;
};

/// Bytes of data in \p count elements; 0 for what is not valid. Without locks for named datatypes;
/// asks MPI for the size of others.
std::uint64_t dataBytes(int count, MPI_Datatype datatype);

} // namespace forerun

#endif
