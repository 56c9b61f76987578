// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// A call of H5Dread, as far as it determines bytes of the file: see twin/hdf5Module.h.

namespace forerun {

struct Hdf5Read {
  std::uint32_t slot = 0, generation = 0; ///< of the file, see HandleTable
  std::string dataset;
  std::vector<std::byte> selection; ///< empty: the whole data set
  std::uint64_t wholeChunkBytes = 0;

  std::size_t bytes() const { return sizeof *this + dataset.size() + selection.size(); }
};

} // namespace forerun
