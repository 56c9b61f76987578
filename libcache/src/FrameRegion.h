// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FRAMEREGION_H
#define FORERUN_FRAMEREGION_H

#include <cstddef>

/// \file
/// The memory of all pages, mapped once: the cap on page memory is hard because there is no more.
/// The kernel gives it page by page as it is touched.

namespace forerun {

class FrameRegion {
public:
  explicit FrameRegion(std::size_t bytes);
  ~FrameRegion();
  FrameRegion(const FrameRegion &) = delete;
  FrameRegion &operator=(const FrameRegion &) = delete;

  std::byte *base() const { return base_; } ///< null if no memory was to be had

private:
  std::size_t bytes_;
  std::byte *base_ = nullptr;
};

} // namespace forerun

#endif
