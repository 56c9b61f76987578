// SPDX-License-Identifier: Apache-2.0
#include "cache/Reading.h"

namespace forerun {

/// The part of \p range in page \p index, as new as this process has to see it.
NodePool::Wanted PageCache::wanted(const CachedFile &file, std::uint64_t index,
                                   ByteRange range) const {
  const SectorRange sectors = geometry_.touched(range, index);
  return {file.key.page(index), SectorSet::maskOf(sectors, 0), file.changedNs.load()};
}

NodePool::Found PageCache::findElsewhere(const CachedFile &file, std::uint64_t index,
                                         ByteRange range) const {
  if (pool_ == nullptr || geometry_.touched(range, index).empty())
    return {};
  return pool_->find(wanted(file, index, range));
}

/// Whether another has what is announced, or fetches it: then it is asked to keep it.
bool PageCache::leftToOthers(CachedFile &file, std::uint64_t index, ByteRange range,
                             Sequence sequence) {
  const NodePool::Found found = findElsewhere(file, index, range);
  if (found.state == NodePool::State::Nowhere)
    return false;
  if (sequence != 0)
    table_.want(found.slot, sequence);
  return true;
}

/// Serves a read from one page that another holds; without any mutex. As `hit`.
bool PageCache::hitElsewhere(CachedFile &file, void *buffer, ByteRange range) {
  const std::uint64_t index = geometry_.firstPage(range);
  if (geometry_.endPage(range) != index + 1 || range.end > file.plainEnd())
    return false;
  const NodePool::Wanted what = wanted(file, index, range);
  const NodePool::Found found = pool_->find(what);
  if (found.state != NodePool::State::Open ||
      !pool_->read(found.slot, what, geometry_.inPage(range.begin), buffer, range.length()))
    return false;
  file.hitsWithoutMutex.add(range.length());
  file.hitsElsewhere.add(range.length());
  return true;
}

/// Whether this process has nothing of the page that what is left of the read begins with, and
/// another has it, or will have it.
bool PageCache::isElsewhere(const Reading &reading, Elsewhere &there) const {
  const CachedFile &file = reading.file;
  const ByteRange rest = reading.rest();
  if (rest.empty() || file.bypasses(rest))
    return false;
  const std::uint64_t index = geometry_.firstPage(rest);
  if (table_.find(file, index) != nullptr)
    return false;
  there.range = geometry_.clip(rest, index);
  there.wanted = wanted(file, index, there.range);
  there.found = pool_->find(there.wanted);
  return there.found.state != NodePool::State::Nowhere;
}

/// False if it is not there any more, or does not come: then this process fetches it.
bool PageCache::takeFromElsewhere(const Elsewhere &there, Reading &reading) {
  const bool comes = there.found.state == NodePool::State::Coming;
  if (comes && !pool_->await(there.found.slot, there.wanted))
    return false;
  if (!pool_->read(there.found.slot, there.wanted, geometry_.inPage(there.range.begin),
                   reading.to + reading.result.bytes, there.range.length()))
    return false;
  if (comes)
    reading.result.outcome = Outcome::Late;
  reading.result.bytes += there.range.length();
  if (reading.program)
    reading.file.hitsElsewhere.add(there.range.length());
  return true;
}

} // namespace forerun
