// SPDX-License-Identifier: Apache-2.0
#include "files/Handle.h"

namespace forerun {

OpenedFile describe(const forerun_handle &handle, std::uint32_t generation) {
  return {.file = handle.fh.load(std::memory_order_relaxed),
          .slot = handle.slot,
          .generation = generation,
          .rank = handle.rank,
          .ranks = handle.ranks,
          .readOnly = (handle.amode & MPI_MODE_RDONLY) != 0,
          .startByte = handle.startByte.load(std::memory_order_relaxed),
          .fd = handle.fd.load(std::memory_order_relaxed)};
}

} // namespace forerun
