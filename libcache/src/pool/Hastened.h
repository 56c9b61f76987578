// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pool/Shared.h"

#include <array>
#include <cstdint>
#include <optional>

/// \file
/// The frames of a member in which others wait for its fetches, each once: in shared memory. If
/// there is no place for one more, it is not hastened.

namespace forerun {

class Hastened {
public:
  void add(std::uint32_t frame) {
    for (Shared<std::uint32_t> &place : places_) {
      std::uint32_t found = 0;
      if (place.compare_exchange_strong(found, frame + 1))
        break;
      if (found == frame + 1)
        return;
    }
    added_.fetch_add(1);
  }

  /// One of them, less than \p frames; \p seen: the member's own, how many it has seen added.
  std::optional<std::uint32_t> take(std::uint32_t &seen, std::size_t frames) {
    const std::uint32_t added = added_.load();
    if (added == seen)
      return std::nullopt;
    for (Shared<std::uint32_t> &place : places_)
      if (const std::uint32_t found = place.exchange(0); found != 0 && found <= frames)
        return found - 1;
    seen = added;
    return std::nullopt;
  }

private:
  static constexpr std::size_t kPlaces = 8;

  Shared<std::uint32_t> added_;                       ///< how often one was
  std::array<Shared<std::uint32_t>, kPlaces> places_; ///< a frame plus 1; 0: none
};

} // namespace forerun
