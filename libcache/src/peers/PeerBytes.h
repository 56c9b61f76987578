// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PEERBYTES_H
#define FORERUN_PEERBYTES_H

#include <cstddef>
#include <memory>
#include <span>

/// \file
/// Sectors on their way to another process: copied once, into memory that is not cleared before,
/// and passed on until the network has them.

namespace forerun {

class PeerBytes {
public:
  PeerBytes() = default;
  explicit PeerBytes(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}

  std::byte *data() { return bytes_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void shrink(std::size_t size) { size_ = size; } ///< what follows is not sent
  std::span<const std::byte> span() const { return {bytes_.get(), size_}; }

private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

} // namespace forerun

#endif
