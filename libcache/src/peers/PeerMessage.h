// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "fetch/FetchRequest.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// \file
/// What the caches of a job tell each other: who has which sectors of a page. All messages have one
/// form and one size, so that many travel together; the bytes of a page follow its message.

namespace forerun {

struct PeerMessage {
  static constexpr unsigned kSectors = 64;

  enum class Kind : std::uint8_t {
    Want,  ///< to the page's home: the sender needs these sectors
    Take,  ///< from there: nobody has them, the receiver must fetch them from the storage
    Give,  ///< from there: the receiver has them, or fetches them, and gives them to `rank`
    Bytes, ///< from a rank that has them, followed by the bytes, sector by sector
    Lack,  ///< from a rank that was to give them, and no longer has them
    Hurry, ///< to the home, and from there to those that fetch them: a read waits for them now
    Have,  ///< to the home: the sender has them now, too
    Drop,  ///< to the home: the sender no longer has them
    Ping,  ///< to be answered with a Pong (PeerProbe.h), `epoch` is its number, `want` its step
    Pong,
  };

  Kind kind{};
  bool urgent = false;    ///< Want, Give: a read waits for it
  Rank rank = 0;          ///< Give: the rank that wants it
  std::uint32_t want = 0; ///< the number that this rank uses for it
  /// Of the file. Want, Give: the bytes must have been requested from the storage in it, or later.
  std::uint32_t epoch = 0;
  PeerPage page{};
  Sectors sectors = 0;
};

/// Sectors on their way to another process: copied once, into memory that is not cleared before,
/// and passed on until the network has them.
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
