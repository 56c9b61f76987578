// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// \file
/// Memory that is mapped once and never grows: a cap on page memory is hard because there is no
/// more. The kernel provides it page by page as it is touched. It clears each page that it provides,
/// so huge pages from the start would cost a short program more than they save (25 us for a fetch of
/// 32 KiB, measured on a virtual machine).

namespace forerun {

class Mapping {
public:
  /// The process's own, or with \p fd the memory that this descriptor refers to.
  explicit Mapping(std::size_t bytes, int fd = -1);
  ~Mapping();
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  std::byte *base() const { return base_; } ///< null if there was no memory
  std::size_t bytes() const { return bytes_; }
  /// All of it is in use: the kernel may gather it into huge pages, which save TLB misses.
  void gatherPages();

private:
  std::size_t bytes_;
  std::byte *base_ = nullptr;
};

} // namespace forerun
