// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadStats.h"

namespace forerun {

ReadFigures &ReadFigures::operator+=(const ReadFigures &other) {
  for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome) {
    reads[outcome] += other.reads[outcome];
    bytes[outcome] += other.bytes[outcome];
  }
  readNs += other.readNs;
  hiddenNs += other.hiddenNs;
  fromOthers += other.fromOthers;
  return *this;
}

ReadFigures figuresOf(const ReadResult &read, std::uint64_t elapsedNs) {
  const auto kind = static_cast<std::size_t>(read.outcome);
  ReadFigures figures;
  figures.reads[kind] = 1;
  figures.bytes[kind] = read.bytes;
  figures.readNs = elapsedNs;
  figures.hiddenNs = read.hiddenNs;
  figures.fromOthers = read.fromOthers;
  return figures;
}

void FileStats::add(const ReadResult &read, std::uint64_t elapsedNs) {
  const auto kind = static_cast<std::size_t>(read.outcome);
  reads_[kind].fetch_add(1, std::memory_order_relaxed);
  bytes_[kind].fetch_add(read.bytes, std::memory_order_relaxed);
  readNs_.fetch_add(elapsedNs, std::memory_order_relaxed);
  hiddenNs_.fetch_add(read.hiddenNs, std::memory_order_relaxed);
  fromOthers_.fetch_add(read.fromOthers, std::memory_order_relaxed);
}

ReadFigures FileStats::figures() const {
  ReadFigures figures;
  for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome) {
    figures.reads[outcome] = reads_[outcome].load(std::memory_order_relaxed);
    figures.bytes[outcome] = bytes_[outcome].load(std::memory_order_relaxed);
  }
  figures.readNs = readNs_.load(std::memory_order_relaxed);
  figures.hiddenNs = hiddenNs_.load(std::memory_order_relaxed);
  figures.fromOthers = fromOthers_.load(std::memory_order_relaxed);
  return figures;
}

FileStats &ReadStats::of(const std::string &path) {
  const MutexLock lock(mutex_);
  if (const auto found = byPath_.find(path); found != byPath_.end())
    return *found->second;
  const bool others = files_.size() >= kMaxFiles;
  if (others && files_.size() > kMaxFiles)
    return files_.back();
  const auto index = static_cast<std::uint32_t>(files_.size());
  FileStats &file = files_.emplace_back(others ? "(other files)" : path, index);
  byPath_.emplace(file.path(), &file);
  return file;
}

std::vector<const FileStats *> ReadStats::all() const {
  const MutexLock lock(mutex_);
  std::vector<const FileStats *> files;
  files.reserve(files_.size());
  for (const FileStats &file : files_)
    files.push_back(&file);
  return files;
}

} // namespace forerun
