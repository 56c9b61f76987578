// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeMap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
  std::uint64_t bytes() const { return bytes_; } ///< of data; 0 if unknown

  /// Calls \p take(place, length) for each piece of \p buffer that holds bytes [start, start +
  /// length) of the data.
  template <class Take>
  void forEachPlace(void *buffer, std::uint64_t start, std::uint64_t length,
                    const Take &take) const;

  /// Copies \p length bytes from \p data to where bytes [start, start + length) of the data lie in
  /// \p buffer, piece by piece, each after `mayWrite(place, length)`. What would lie after the last
  /// element is not written.
  template <class MayWrite>
  void scatter(void *buffer, std::uint64_t start, const void *data, std::size_t length,
               const MayWrite &mayWrite) const;

private:
  TypeMap element_;
  std::uint64_t bytes_ = 0;
  bool contiguous_ = false;
  bool known_ = false;
};

template <class Take>
void DataLayout::forEachPlace(void *buffer, std::uint64_t start, std::uint64_t length,
                              const Take &take) const {
  if (!known_ || start >= bytes_)
    return;
  const auto at = [&](std::int64_t offset, std::uint64_t piece) {
    take(static_cast<char *>(buffer) + offset, piece);
    return true;
  };
  length = std::min(length, bytes_ - start);
  if (contiguous_)
    at(static_cast<std::int64_t>(start), length);
  else
    element_.forEach(start, length, at);
}

template <class MayWrite>
void DataLayout::scatter(void *buffer, std::uint64_t start, const void *data, std::size_t length,
                         const MayWrite &mayWrite) const {
  const auto *from = static_cast<const char *>(data);
  forEachPlace(buffer, start, length, [&](char *to, std::uint64_t piece) {
    mayWrite(to, piece);
    std::memcpy(to, from, piece);
    from += piece;
  });
}

/// Bytes of data in \p count elements; 0 if invalid. Takes no locks for named datatypes; asks MPI
/// for the size of others.
std::uint64_t dataBytes(int count, MPI_Datatype datatype);
/// The same if they lie one after the other from the start of the buffer, as far as that is known
/// without MPI; otherwise 0.
std::uint64_t denseBytes(int count, MPI_Datatype datatype);

} // namespace forerun
