// SPDX-License-Identifier: Apache-2.0
#include "exchange/Parts.h"

#include <cstring>

namespace forerun {

bool Parts::measure(int parts) {
  parts_ = parts;
  elementBytes_ = exchangeableBytes(1, type_).value_or(0);
  for (int rank = 0; rank < parts; ++rank)
    if (!exchangeableBytes(count(rank), type_))
      return false;
  return elementBytes_ != 0;
}

std::size_t Parts::bytesBefore(int rank) const {
  if (counts_ == nullptr)
    return bytes(0) * static_cast<std::size_t>(rank);
  std::size_t result = 0;
  for (int before = 0; before < rank; ++before)
    result += bytes(before);
  return result;
}

std::ptrdiff_t Parts::place(int rank) const {
  return displacements_ != nullptr
             ? displacements_[rank] * static_cast<std::ptrdiff_t>(elementBytes_)
             : static_cast<std::ptrdiff_t>(bytesBefore(rank));
}

Bytes Parts::of(const void *buffer, int rank) const {
  return {static_cast<const std::byte *>(buffer) + place(rank), bytes(rank)};
}

void Parts::fill(Exchanged &call, void *buffer, int rank, const void *from) const {
  std::byte *to = static_cast<std::byte *>(buffer) + place(rank);
  if (bytes(rank) != 0 && to != from)
    std::memcpy(call.own(to, bytes(rank)), from, bytes(rank));
}

void Parts::unpack(Exchanged &call, void *buffer, const std::byte *packed) const {
  for (int rank = 0; rank < parts_; ++rank, packed += bytes(rank - 1))
    fill(call, buffer, rank, packed);
}

} // namespace forerun
