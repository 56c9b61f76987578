// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FRAMEREGION_H
#define FORERUN_FRAMEREGION_H

#include <cstddef>

/// \file
/// The memory of all pages, mapped once: the cap on page memory is hard because there is no more.
/// The kernel provides it page by page as it is touched. It clears each page that it provides, so
/// huge pages from the start would cost a short program more than they save (25 us for a fetch of
/// 32 KiB, measured on a virtual machine).

namespace forerun {

class FrameRegion {
public:
  explicit FrameRegion(std::size_t bytes);
  ~FrameRegion();
  FrameRegion(const FrameRegion &) = delete;
  FrameRegion &operator=(const FrameRegion &) = delete;

  std::byte *base() const { return base_; } ///< null if there was no memory
  /// All of it is in use: the kernel may gather it into huge pages, which save TLB misses.
  void gatherPages();

private:
  std::size_t bytes_;
  std::byte *base_ = nullptr;
};

} // namespace forerun

#endif
