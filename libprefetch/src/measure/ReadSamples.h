// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"
#include "forerun/door.h"
#include "measure/ReadCosts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Reads of one open file that are kept, of which some are made once more before it is closed
/// (measure/ReadsAgain.h): a random sample of each form (reservoir sampling, Vitter's algorithm R).
/// What is drawn are groups of consecutive reads, since a system reads ahead for some of them. Which
/// are drawn depends only on how many there were: so all processes of a file draw the same
/// collective reads.
///
/// Any thread.

namespace forerun {

class ReadSamples {
public:
  static constexpr std::size_t kGroupReads = 4, kGroups = 64;
  static_assert(kGroupReads * kGroups == FORERUN_MOST_KEPT);
  /// Of a read that is larger, or in more pieces, it is only kept that there was one.
  static constexpr std::size_t kMaxRanges = 4096;
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

  struct Read {
    std::vector<forerun_range> ranges;
    bool isFirst;  ///< of these bytes, as far as is known: the system would not have had them
    bool isLarger; ///< than what is kept
  };
  using Group = std::vector<Read>;
  struct Kept {
    std::uint64_t reads = 0; ///< of which these were drawn
    std::vector<Group> groups;
  };

  static std::uint64_t bytesOf(std::span<const forerun_range> ranges);
  static bool isLarger(std::span<const forerun_range> ranges);

  void add(ReadForm form, std::span<const forerun_range> ranges, bool isFirst);
  Kept take(ReadForm form);

private:
  struct OfForm {
    Kept kept;
    Group *current = nullptr; ///< into which reads go; null: this group was not drawn
  };
  static Group *draw(OfForm &of, std::uint64_t group);

  Mutex mutex_;
  std::array<OfForm, kReadForms> forms_ FORERUN_GUARDED_BY(mutex_);
};

/// Which bytes of a file have been read before, in blocks. Any thread.
class BytesSeen {
public:
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{64} << 10;
  static constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 24; ///< beyond it, none has been

  /// Whether all blocks of \p ranges had been read; they have been now.
  bool addAll(std::span<const forerun_range> ranges);

private:
  Mutex mutex_;
  std::vector<bool> blocks_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun
