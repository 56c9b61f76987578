// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pool/FreeFrames.h"
#include "pool/Hastened.h"
#include "pool/Shared.h"
#include "pool/SharedFrame.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// Where everything lies in the memory that the members of a NodePool share: header, members,
/// claims, places, the list of free frames, states, frames.

namespace forerun {

inline constexpr std::size_t kLine = 64;

struct PoolShape {
  unsigned members = 0;
  std::size_t framesEach = 0; ///< what a member contributes
  std::size_t pageBytes = 0;  ///< at most 64 sectors

  std::size_t frames() const { return members * framesEach; }
  bool operator==(const PoolShape &) const = default;
};

struct PoolHeader {
  static constexpr std::uint32_t kMagic = 0x464f5245;

  explicit PoolHeader(const PoolShape &theShape) : shape(theShape) {}
  bool isOf(const PoolShape &theShape) const { return magic == kMagic && shape == theShape; }

  const std::uint32_t magic = kMagic;
  const PoolShape shape;
  alignas(kLine) FreeFrames::Head freeHead{0};
  Shared<std::int64_t> spare{0};     ///< frames that no floor needs and nobody has
  Shared<std::uint32_t> starving{0}; ///< members
};

struct alignas(kLine) PoolMember {
  Shared<std::uint64_t> held;
  Shared<std::uint32_t> starves; ///< 1: it lacks frames, and has fewer than it contributed
  Hastened hastened;
};

/// Offsets from the beginning of the memory, at which the header lies.
struct PoolLayout {
  static constexpr std::size_t kWays = 8; ///< places for a page's frames
  static constexpr std::size_t kClaims = 4096;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  using Place = Shared<std::uint32_t>;

  explicit PoolLayout(const PoolShape &shape)
      : placeCount(std::max(std::bit_ceil(4 * shape.frames()), kWays)) {
    std::size_t end = sizeof(PoolHeader);
    const auto put = [&](std::size_t size, std::size_t alignment = kLine) {
      const std::size_t begin = (end + alignment - 1) / alignment * alignment;
      end = begin + size;
      return begin;
    };
    members = put(shape.members * sizeof(PoolMember));
    claims = put(kClaims * sizeof(std::uint32_t));
    places = put(placeCount * sizeof(Place));
    next = put(shape.frames() * sizeof(std::uint32_t));
    states = put(shape.frames() * sizeof(SharedFrame));
    frames = put(shape.frames() * shape.pageBytes, kHugePage);
    bytes = end;
  }

  std::size_t placeCount;
  std::size_t members, claims, places, next, states, frames, bytes;
};

} // namespace forerun
