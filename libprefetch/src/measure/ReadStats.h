// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_READSTATS_H
#define FORERUN_READSTATS_H

#include "forerun/Cache.h"
#include "forerun/Mutex.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

/// \file
/// The main thread's reads, counted by file, for the report. Figures of a file outlive it: they are
/// kept by path until the end. Memory is bounded: files beyond kMaxFiles share one line.

namespace forerun {

constexpr std::size_t kOutcomes = 3; ///< Outcome::Hit, Late, Miss

struct ReadFigures {
  std::array<std::uint64_t, kOutcomes> reads{}, bytes{}; ///< by outcome
  std::uint64_t readNs = 0;                              ///< time the main thread spent in them
  std::uint64_t hiddenNs = 0;                            ///< storage time that it did not spend
  std::uint64_t fromOthers = 0; ///< bytes that other processes of the node had

  ReadFigures &operator+=(const ReadFigures &other);
  std::uint64_t allReads() const { return reads[0] + reads[1] + reads[2]; }
  std::uint64_t allBytes() const { return bytes[0] + bytes[1] + bytes[2]; }
};

/// The figures of one read.
ReadFigures figuresOf(const ReadResult &read, std::uint64_t elapsedNs);

class FileStats {
public:
  FileStats(std::string path, std::uint32_t index) : path_(std::move(path)), index_(index) {}

  /// Any thread.
  void add(const ReadResult &read, std::uint64_t elapsedNs);
  ReadFigures figures() const;
  /// Whether a read of others' data is in another block of the file than the last such read: the
  /// system would have sent reads in one block as one request.
  bool isInAnotherBlock(std::uint64_t block) {
    return blockFromOthers_.exchange(block, std::memory_order_relaxed) != block;
  }
  const std::string &path() const { return path_; }
  std::uint32_t index() const { return index_; }

private:
  const std::string path_;
  const std::uint32_t index_;
  std::array<std::atomic<std::uint64_t>, kOutcomes> reads_{}, bytes_{};
  std::atomic<std::uint64_t> readNs_{0}, hiddenNs_{0}, fromOthers_{0};
  std::atomic<std::uint64_t> blockFromOthers_{~std::uint64_t{0}}; ///< none
};

class ReadStats {
public:
  static constexpr std::size_t kMaxFiles = 1024;

  /// The figures of the file with that path; they live as long as this. Any thread.
  FileStats &of(const std::string &path);
  std::vector<const FileStats *> all() const; ///< by index

private:
  mutable Mutex mutex_;
  std::deque<FileStats> files_ FORERUN_GUARDED_BY(mutex_);
  std::map<std::string, FileStats *> byPath_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun

#endif
