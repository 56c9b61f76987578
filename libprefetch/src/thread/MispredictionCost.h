// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// Whether a wrong prediction did any harm: whether the thread, put back, announces anew what was
/// withdrawn. It does where a condition only adds a read now and then (a cell that is refined), or
/// where a value decides on something else than addresses (which of two buffers is the better one).
/// There a wrong prediction costs a little of the thread's own time, and waiting for the value
/// would cost all of its head start.
///
/// Belongs to the pre-execution thread, which may be ended at any instruction, and is not put back.

namespace forerun {

class MispredictionCost {
public:
  static constexpr std::size_t kMax = 32; ///< calls that are compared
  /// So many calls may come in between that were not there before.
  static constexpr std::size_t kExtra = 8;
  enum class Verdict {
    Unknown, ///< so far
    Moot,    ///< nothing can be said any more
    Harmless,
    Harmful
  };

  /// A call has been announced: its first byte in the file, and how many it reads.
  void note(const Record &call) { ring_[noted_++ % kRing] = call; }

  /// What depends on \p firstPrediction and later ones is withdrawn now, since that of \p site was
  /// wrong. False: nothing does.
  bool begin(int site, std::uint32_t firstPrediction);
  void end() { site_ = -1; } ///< nothing is being compared
  int site() const { return site_; }
  /// From what has been announced since.
  Verdict verdict() const;
  /// The same when the next prediction was wrong: what has not come anew by now was harm.
  Verdict lastVerdict() const;

private:
  /// More than are compared, since what came before the wrong prediction is found from the end.
  static constexpr std::size_t kRing = 1024;

  const Record &noted(std::uint64_t number) const { return ring_[number % kRing]; }
  std::size_t late() const;

  std::array<Record, kRing> ring_{};
  std::uint64_t noted_ = 0;
  int site_ = -1;           ///< -1: nothing is being compared
  std::uint64_t begin_ = 0; ///< how many had been noted
  std::array<Record, kMax> withdrawn_{};
  std::size_t count_ = 0;
};

} // namespace forerun
