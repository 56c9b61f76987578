// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/ReadSamples.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

/// \file
/// Which of the reads that are kept of one form are made once more, and what all would have taken by
/// that.
///
/// Costs of reads may differ by a factor of a hundred: one collective read is a request of each
/// process, and the next one brings all that lies between them. A few drawn at random say little
/// then. So the groups are sorted by weight, about how many bytes the file system is asked for, and
/// those made once more are spread evenly over that order; a group that is not costs as much as the
/// nearest that is. So nothing is assumed about what a byte costs.
///
/// Which are next depends on the weights alone: all processes of a file make the same collective
/// reads. One thread.

namespace forerun {

class ReadsAgain {
public:
  ReadsAgain() = default;
  explicit ReadsAgain(ReadSamples::Kept kept);

  /// The n-th read that is kept, in program order as far as its group goes; null: there is none.
  const ReadSamples::Read *kept(std::size_t n) const;
  /// Its weight is the number of its bytes unless told before the first `next`; kNever: it cannot be
  /// made once more.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  void weigh(std::size_t n, std::uint64_t weight);

  /// What it would take to make another group once more.
  struct Price {
    std::uint64_t ns;      ///< about how long that takes
    std::uint64_t spentNs; ///< what those before it have taken
    /// What all reads would have taken, as far as is known from them, if these are too few for a
    /// basis; else 0.
    std::uint64_t wantedNs;
  };
  /// The next group to be made once more; empty: there is none, or \p isWorth says no.
  std::span<const ReadSamples::Read> next(const std::function<bool(const Price &)> &isWorth);
  /// All reads of that group were made, and took so long together.
  void took(std::uint64_t ns);

  struct Basis {
    std::uint64_t reads; ///< of the program
    double ns;           ///< they would have taken
    std::uint64_t again; ///< of which so many were made once more
  };
  /// None: there were none, or too few were made once more.
  std::optional<Basis> basis() const;

private:
  static constexpr std::size_t kMaxGroups = 15;
  /// So many are needed where weights differ ...
  static constexpr std::size_t kLeastGroups = 3;
  /// ... by more than this factor.
  static constexpr double kAlike = 2;
  /// Slower storage is not expected, for lack of a better guess.
  static constexpr double kLeastBytesPerNs = 0.1;

  struct Weighed {
    ReadSamples::Group reads;
    std::vector<std::uint64_t> weights; ///< of the reads
    double weight = 0;                  ///< of one, on average
    bool isMade = false;                ///< once more
    double againNs = 0;                 ///< what one took then, on average
  };
  void sort();
  std::size_t nextPlace() const;
  const Weighed *nearest(std::size_t place) const;
  std::uint64_t expectedNs(std::size_t place) const;
  double allNs() const;
  bool isEnough() const;

  std::uint64_t reads_ = 0; ///< of the program
  std::vector<Weighed> groups_;
  bool isSorted_ = false;
  std::size_t current_ = 0; ///< the place of the group that `next` has returned
  std::size_t made_ = 0;    ///< groups made once more
  std::size_t again_ = 0;   ///< reads in them
  std::uint64_t spentNs_ = 0;
};

} // namespace forerun
