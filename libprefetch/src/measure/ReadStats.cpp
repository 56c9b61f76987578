// SPDX-License-Identifier: Apache-2.0
#include "measure/ReadStats.h"

namespace forerun {

ReadFigures &ReadFigures::operator+=(const ReadFigures &other) {
  for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome) {
    reads[outcome] += other.reads[outcome];
    bytes[outcome] += other.bytes[outcome];
  }
  readNs += other.readNs;
  withoutNs += other.withoutNs;
  unknown += other.unknown;
  fromOthers += other.fromOthers;
  return *this;
}

ReadFigures figuresOf(const ReadResult &read) {
  const auto kind = static_cast<std::size_t>(read.outcome);
  ReadFigures figures;
  figures.reads[kind] = 1;
  figures.bytes[kind] = read.bytes;
  figures.fromOthers = read.fromOthers;
  return figures;
}

void FileStats::add(const ReadResult &read) {
  const auto kind = static_cast<std::size_t>(read.outcome);
  reads_[kind].fetch_add(1, std::memory_order_relaxed);
  bytes_[kind].fetch_add(read.bytes, std::memory_order_relaxed);
  fromOthers_.fetch_add(read.fromOthers, std::memory_order_relaxed);
}

void FileStats::addCost(const ReadCosts::Read &read) {
  const MutexLock lock(costing_);
  costs_.add(read);
}

void FileStats::addBasis(ReadForm form, const ReadsAgain::Basis &basis) {
  const MutexLock lock(costing_);
  ReadCosts::OfForm &of = costs_.forms[static_cast<std::size_t>(form)];
  of.reads += basis.reads;
  of.ns += basis.ns;
  of.again += basis.again;
}

ReadCosts FileStats::costs() const {
  const MutexLock lock(costing_);
  return costs_;
}

ReadFigures FileStats::figures(const ReadCosts &all) const {
  ReadFigures figures;
  for (std::size_t outcome = 0; outcome < kOutcomes; ++outcome) {
    figures.reads[outcome] = reads_[outcome].load(std::memory_order_relaxed);
    figures.bytes[outcome] = bytes_[outcome].load(std::memory_order_relaxed);
  }
  figures.fromOthers = fromOthers_.load(std::memory_order_relaxed);
  const ReadCosts costs = this->costs();
  const std::optional<std::uint64_t> without = costs.withoutNs(all);
  figures.readNs = costs.ns;
  figures.withoutNs = without.value_or(0);
  figures.unknown = without ? 0 : 1;
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

ReadCosts ReadStats::costs() const {
  ReadCosts sum;
  for (const FileStats *file : all())
    sum += file->costs();
  return sum;
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
