// SPDX-License-Identifier: Apache-2.0
#include "Datatype.h"

#include <algorithm>

namespace stress {

namespace {

MPI_Datatype etypeOf(std::uint64_t bytes) {
  return bytes == 1 ? MPI_BYTE : bytes == 4 ? MPI_INT : MPI_DOUBLE;
}

MPI_Datatype gapped(std::uint64_t etypeBytes, std::uint64_t count, std::uint64_t strideBytes) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(static_cast<int>(count), 1, static_cast<MPI_Aint>(strideBytes),
                          etypeOf(etypeBytes), &type);
  return type;
}

MPI_Datatype duplicate(MPI_Datatype of) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_dup(of, &type);
  return type;
}

} // namespace

MPI_Datatype Datatype::etype(const ViewLayout &view) { return etypeOf(view.etypeBytes); }

MPI_Datatype Datatype::filetype(const ViewLayout &view) {
  if (view.contiguous())
    return duplicate(MPI_BYTE);
  std::vector<int> lengths;
  std::vector<int> displacements;
  for (const ByteRange &block : view.blocks) {
    lengths.push_back(static_cast<int>(block.length / view.etypeBytes));
    displacements.push_back(static_cast<int>(block.offset / view.etypeBytes));
  }
  MPI_Datatype blocks = MPI_DATATYPE_NULL;
  MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(),
                   etype(view), &blocks);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(blocks, 0, static_cast<MPI_Aint>(view.periodBytes), &type);
  MPI_Type_free(&blocks);
  return type;
}

Buffer::Buffer(std::uint64_t etypeBytes, std::uint64_t count, bool gaps)
    : etypeBytes_(etypeBytes), count_(count), strideBytes_(gaps ? 2 * etypeBytes : etypeBytes),
      gaps_(gaps),
      type_(gaps ? gapped(etypeBytes, count, strideBytes_) : duplicate(etypeOf(etypeBytes))),
      memory_(std::max<std::uint64_t>(count * strideBytes_, 1), kUntouched) {}

std::uint64_t Buffer::position(std::uint64_t byte) const {
  return byte / etypeBytes_ * strideBytes_ + byte % etypeBytes_;
}

void Buffer::put(std::span<const std::uint8_t> bytes) {
  for (std::uint64_t i = 0; i < bytes.size(); ++i)
    memory_[position(i)] = bytes[i];
}

std::vector<std::uint8_t> Buffer::get(std::uint64_t bytes) const {
  std::vector<std::uint8_t> result(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i)
    result[i] = memory_[position(i)];
  return result;
}

bool Buffer::gapsUntouched() const {
  if (!gaps_)
    return true;
  for (std::uint64_t at = 0; at < memory_.size(); ++at)
    if (at % strideBytes_ >= etypeBytes_ && memory_[at] != kUntouched)
      return false;
  return true;
}

} // namespace stress
