// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

/// \file
/// Where the bytes of a datatype lie: the typemap of MPI-4 chapter 5, in typemap order, reduced to
/// (offset, length) without the basic types.
///
/// The segments are stored as *runs*: equal lengths at equal distances. A vector or a subarray of
/// any size is one run, so neither memory nor decoding time grows with the number of blocks of a
/// regular type. Maps of the same runs share them, as a type and its duplicates do: neither a copy
/// nor a type that only has other bounds costs memory or time.
///
/// Invariants
///  - Segments that touch, one after the other in typemap order, are one segment.
///  - After `finish` a map never changes; `forEach` never allocates and takes time proportional to
///    the segments that it emits, not to those before `start`.
///  - A map that would need more than kMaxRuns runs, or more than kMaxSteps steps to build, is
///    overfull; its content is meaningless.
/// Threads: one builds; any number may read after `finish`.

namespace forerun {

class TypeMap {
public:
  static constexpr std::size_t kMaxRuns = std::size_t{1} << 20;       ///< 40 MiB
  static constexpr std::uint64_t kMaxSteps = std::uint64_t{16} << 20; ///< a tenth of a second

  TypeMap() = default;
  /// \p size bytes without a gap: an elementary type.
  static TypeMap dense(std::uint64_t size);

  // ---- building ----
  void append(std::int64_t offset, std::uint64_t length);
  /// \p repeats segments of \p length bytes, \p stride bytes from start to start.
  void appendStrided(std::int64_t offset, std::uint64_t length, std::int64_t stride,
                     std::uint64_t repeats);
  /// \p blocks blocks of \p blockLength elements of \p child, \p stride bytes from block to block.
  void appendBlocks(std::int64_t offset, std::int64_t blocks, std::int64_t blockLength,
                    std::int64_t stride, const TypeMap &child);
  /// No more appends. \p extent: the distance from one instance to the next.
  void finish(std::int64_t extent);
  bool hasData() const { return runs_ != nullptr || !building_.empty() || open_.length > 0; }
  bool overfull() const {
    return std::max(building_.size(), runs().size()) > kMaxRuns || steps_ > kMaxSteps;
  }
  std::uint64_t steps() const { return steps_; } ///< that building it has taken

  // ---- reading ----
  std::uint64_t size() const { return size_; } ///< bytes of data in one instance
  std::int64_t extent() const { return extent_; }
  /// Consecutive instances form one segment.
  bool isDense() const { return dense_; }
  bool startsAtZero() const { return !runs().empty() && runs().front().offset == 0; }
  std::size_t memoryRuns() const { return runs().size(); }
  const void *memory() const { return runs_.get(); } ///< maps that share it need it once; or null

  /// Calls \p emit(offset, length) for the pieces of bytes [start, start + bytes) of the data of
  /// instances laid \p extent apart, until it returns false. Pieces that touch are merged.
  template <typename Emit>
  void forEach(std::uint64_t start, std::uint64_t bytes, Emit &&emit) const;

private:
  struct Run {
    std::int64_t offset;
    std::uint64_t length;
    std::int64_t stride; ///< from start to start; meaningless with one repeat
    std::uint64_t repeats;
    std::uint64_t before; ///< bytes of data before this run
  };

  using Runs = std::vector<Run>;

  std::span<const Run> runs() const {
    return runs_ ? std::span<const Run>(*runs_) : std::span<const Run>();
  }
  void appendRuns(std::int64_t origin, std::span<const Run> runs);
  void appendCopies(std::int64_t offset, std::uint64_t copies, std::int64_t distance,
                    const TypeMap &child);
  void stopSharing();
  void closeOpenSegment();
  void addRun(const Run &run);
  std::size_t runAt(std::uint64_t position) const;

  std::shared_ptr<const Runs> runs_; ///< once finished, or as long as it has only a child's
  Runs building_;
  Run open_{0, 0, 0, 1, 0}; ///< the last segment, which may still grow; none while its length is 0
  std::uint64_t steps_ = 0;
  std::uint64_t size_ = 0;
  std::int64_t extent_ = 0;
  bool dense_ = false;
};

template <typename Emit>
void TypeMap::forEach(std::uint64_t start, std::uint64_t bytes, Emit &&emit) const {
  if (size_ == 0 || bytes == 0)
    return;
  if (dense_) {
    emit(runs().front().offset + static_cast<std::int64_t>(start), bytes);
    return;
  }
  const std::span<const Run> runs = this->runs();
  std::uint64_t position = start % size_;
  std::size_t index = runAt(position);
  std::int64_t origin = 0;
  if (__builtin_mul_overflow(start / size_, extent_, &origin))
    return;
  std::int64_t offset = 0;
  std::uint64_t length = 0;
  do {
    for (; index < runs.size() && bytes > 0; ++index) {
      const Run &run = runs[index];
      std::uint64_t repeat = (position - run.before) / run.length;
      std::uint64_t skip = (position - run.before) % run.length;
      for (; repeat < run.repeats && bytes > 0; ++repeat, skip = 0) {
        const std::int64_t at = origin + run.offset +
                                static_cast<std::int64_t>(repeat) * run.stride +
                                static_cast<std::int64_t>(skip);
        const std::uint64_t take = std::min(run.length - skip, bytes);
        if (length > 0 && offset + static_cast<std::int64_t>(length) == at) {
          length += take;
        } else {
          if (length > 0 && !emit(offset, length))
            return;
          offset = at;
          length = take;
        }
        position += take;
        bytes -= take;
      }
    }
    index = 0;
    position = 0;
  } while (bytes > 0 && !__builtin_add_overflow(origin, extent_, &origin));
  emit(offset, length);
}

} // namespace forerun
