// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// libfuse's low-level interface, in the one version that we use.

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

#include <cstdint>

namespace forerun::testbed {

/// libfuse keeps our addresses as numbers (of inodes, of open directories); this converts them
/// back.
template <typename T> T *pointerFrom(std::uint64_t number) {
  return reinterpret_cast<T *>(number); // NOLINT(performance-no-int-to-ptr)
}

} // namespace forerun::testbed
