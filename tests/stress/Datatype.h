// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Model.h"

#include <cstdint>
#include <mpi.h>
#include <span>
#include <vector>

/// \file
/// MPI datatypes for the model's views and buffers with gaps.

namespace stress {

class Datatype {
public:
  explicit Datatype(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  ~Datatype() { MPI_Type_free(&type_); }
  Datatype(const Datatype &) = delete;
  Datatype &operator=(const Datatype &) = delete;
  operator MPI_Datatype() const { return type_; }

  static MPI_Datatype etype(const ViewLayout &view);
  static MPI_Datatype filetype(const ViewLayout &view); ///< to be owned by a Datatype

private:
  MPI_Datatype type_;
};

/// Memory for \p count etypes, with or without a gap after each. No access may touch a gap.
class Buffer {
public:
  Buffer(std::uint64_t etypeBytes, std::uint64_t count, bool gaps);

  void *data() { return memory_.data(); }
  int count() const { return gaps_ ? 1 : static_cast<int>(count_); }
  MPI_Datatype type() const { return type_; }

  void put(std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> get(std::uint64_t bytes) const;
  bool gapsUntouched() const;

private:
  static constexpr std::uint8_t kUntouched = 0xee;
  std::uint64_t position(std::uint64_t byte) const;

  std::uint64_t etypeBytes_, count_, strideBytes_;
  bool gaps_;
  Datatype type_;
  std::vector<std::uint8_t> memory_;
};

} // namespace stress
