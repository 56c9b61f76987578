// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mpi.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Random nested datatypes whose bytes do not overlap, from every constructor of MPI, in its int form
/// or that of MPI_Count.

namespace forerun::test {

/// Frees a derived datatype at the end; named ones may be held too.
class Type {
public:
  Type() = default;
  explicit Type(MPI_Datatype datatype) : datatype_(datatype) {}
  Type(Type &&other) noexcept : datatype_(std::exchange(other.datatype_, MPI_DATATYPE_NULL)) {}
  Type &operator=(Type &&other) noexcept {
    std::swap(datatype_, other.datatype_);
    return *this;
  }
  ~Type();
  MPI_Datatype get() const { return datatype_; }
  std::int64_t size() const;
  std::int64_t extent() const;
  std::int64_t trueLowerBound() const;
  std::int64_t trueUpperBound() const;
  bool tiles() const;           ///< instances laid end to end do not overlap
  std::string describe() const; ///< the constructors with their arguments, for messages

private:
  MPI_Datatype datatype_ = MPI_DATATYPE_NULL;
};

class RandomTypes {
public:
  enum class Use {
    Memory, ///< blocks in any order
    File    ///< displacements never negative and never going backwards, in whole etypes
  };
  RandomTypes(std::uint64_t seed, Use use) : random_(seed), use_(use) {}

  /// An elementary datatype, or one that can be an etype.
  Type etype();
  /// Made from \p base, at most \p depth constructors deep; committed.
  Type derived(MPI_Datatype base, int depth);
  std::int64_t upTo(std::int64_t most) { return from(0, most); } ///< 0..most
  std::int64_t from(std::int64_t least, std::int64_t most);

private:
  struct Blocks {
    std::vector<std::int64_t> lengths, displacements;
  };
  Type constructed(const Type &child);
  Type contiguous(const Type &child);
  Type vector(const Type &child);
  Type hvector(const Type &child);
  Type indexed(const Type &child);
  Type hindexed(const Type &child);
  Type indexedBlock(const Type &child);
  Type hindexedBlock(const Type &child);
  Type structure(const Type &child);
  Type subarray(const Type &child);
  Type darray(const Type &child);
  Type resized(const Type &child);
  Blocks blocks(std::int64_t unit, std::int64_t extent, bool sameLength);
  bool inMemory() const { return use_ == Use::Memory; }
  bool large() { return upTo(2) == 0; }

  std::mt19937_64 random_;
  Use use_;
  std::int64_t unit_ = 1; ///< byte displacements are multiples of it
};

} // namespace forerun::test
