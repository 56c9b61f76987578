// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"
#include "forerun/Mutex.h"
#include "measure/ReadCosts.h"
#include "measure/ReadSamples.h"
#include "measure/ReadsAgain.h"

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
  std::uint64_t withoutNs = 0;  ///< about what it would have spent without Forerun, of a file ...
  std::uint64_t unknown = 0;    ///< ... unless this is not 0: it is not known
  std::uint64_t fromOthers = 0; ///< bytes that other processes of the node had

  ReadFigures &operator+=(const ReadFigures &other);
  std::uint64_t allReads() const { return reads[0] + reads[1] + reads[2]; }
  std::uint64_t allBytes() const { return bytes[0] + bytes[1] + bytes[2]; }
};

/// The figures of one read, without its time.
ReadFigures figuresOf(const ReadResult &read);

class FileStats {
public:
  FileStats(std::string path, std::uint32_t index) : path_(std::move(path)), index_(index) {}

  /// Any thread.
  void add(const ReadResult &read);
  /// The driver's part of a read call.
  void addCost(const ReadCosts::Read &read);
  /// What reads would have cost is known.
  void addBasis(ReadForm form, const ReadsAgain::Basis &basis);
  ReadCosts costs() const;
  /// \p all: the costs of all files, a part of which are this one's.
  ReadFigures figures(const ReadCosts &all) const;
  BytesSeen &seen() { return seen_; }
  const std::string &path() const { return path_; }
  std::uint32_t index() const { return index_; }

private:
  const std::string path_;
  const std::uint32_t index_;
  std::array<std::atomic<std::uint64_t>, kOutcomes> reads_{}, bytes_{};
  std::atomic<std::uint64_t> fromOthers_{0};
  mutable Mutex costing_;
  ReadCosts costs_ FORERUN_GUARDED_BY(costing_);
  BytesSeen seen_;
};

class ReadStats {
public:
  static constexpr std::size_t kMaxFiles = 1024;

  /// The figures of the file with that path; they live as long as this. Any thread.
  FileStats &of(const std::string &path);
  std::vector<const FileStats *> all() const; ///< by index
  ReadCosts costs() const;                    ///< of all of them

private:
  mutable Mutex mutex_;
  std::deque<FileStats> files_ FORERUN_GUARDED_BY(mutex_);
  std::map<std::string, FileStats *> byPath_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun
