// SPDX-License-Identifier: Apache-2.0
#include "courier/ParkingLot.h"

#include <algorithm>

namespace forerun {

void ParkingLot::forgetClosedFiles() {
  if (const std::uint64_t closings = files_.closings(); closings != closings_) {
    closings_ = closings;
    std::erase_if(lot_, [&](const auto &file) { return !files_.isOpen(file.first); });
  }
}

/// (Only reads and writes depend on predictions.) A range that a write took over from an earlier one
/// is not dirty any more: a read that is announced there too early is overtaken by that one, and
/// fetched again.
void ParkingLot::withdraw(Withdrawals::Range wrong) {
  const auto dependsOnIt = [&](const Placed &item) {
    return item.record.prediction >= wrong.first && item.record.prediction <= wrong.last;
  };
  for (auto &[number, parking] : lot_) {
    std::erase_if(parking.parked, dependsOnIt);
    std::erase_if(parking.afterSync, dependsOnIt);
    parking.dirty.withdraw(wrong);
  }
}

void ParkingLot::dropPrefetches() {
  for (auto &[number, parking] : lot_) {
    const std::size_t prefetches = std::erase_if(parking.afterSync, [](const Placed &item) {
      return item.record.kind == RecordKind::Prefetch;
    });
    increment(announcer_.counts().dropped, parking.parked.size() + prefetches);
    parking.parked.clear();
  }
}

bool ParkingLot::waitsForACall() const {
  return std::ranges::any_of(lot_, [](const auto &file) {
    const Parking &parking = file.second;
    return !parking.afterSync.empty() ||
           std::ranges::any_of(parking.parked,
                               [](const Placed &item) { return item.write.has_value(); });
  });
}

bool ParkingLot::mayRead(const Record &record, const HandleUse &use) {
  const auto found = lot_.find(use.open().number);
  if (found == lot_.end())
    return true;
  Parking &parking = found->second;
  return parking.afterSync.empty() &&
         !parking.dirty.lastPendingIn(record.offset, record.length, *progress_);
}

void ParkingLot::put(const Placed &item, const HandleUse &use) {
  Parking &parking = lot_[use.open().number];
  if (parking.afterSync.empty()) {
    place(parking, item, use);
    return;
  }
  increment(parked_, item.record.kind == RecordKind::Prefetch ? 1 : 0);
  parking.afterSync.push_back(item);
}

void ParkingLot::putByHand(ArrivingCall &arriving, const Record &record, const HandleUse &use) {
  constexpr std::size_t kMaxWaiting = 1024;
  const std::uint64_t file = use.open().number;
  if (!handDirt_.any() ||
      !handDirt_.holds(file, record.offset, record.length, record.call.occurrence)) {
    announceByHand(arriving, record, use);
    return;
  }
  std::vector<Record> &waiting = lot_[file].byHand;
  const bool hasRoom = waiting.size() < kMaxWaiting;
  increment(hasRoom ? parked_ : announcer_.counts().dropped);
  if (hasRoom)
    waiting.push_back(record);
}

bool ParkingLot::release() {
  bool did = false;
  for (auto &[number, parking] : lot_) {
    did |= releaseParked(parking);
    did |= releaseSynchronised(parking);
  }
  return did;
}

bool ParkingLot::releaseParked(Parking &parking) {
  const auto leaves = [&](const Placed &item) {
    if (announcer_.passed(item.record.call)) {
      increment(announcer_.counts().skippedLate);
      return true;
    }
    if (!announcer_.isOpen() || (item.write && !announcer_.passed(*item.write)))
      return false;
    const HandleUse use(handles_, files_, item.record.slot, item.record.generation);
    return !use || announcer_.announce(item, use);
  };
  return std::erase_if(parking.parked, leaves) != 0;
}

bool ParkingLot::releaseSynchronised(Parking &parking) {
  std::deque<Placed> &waiting = parking.afterSync;
  bool did = false;
  while (!waiting.empty() && announcer_.passed(waiting.front().record.call)) {
    did = true;
    waiting.pop_front(); // the Sync
    while (!waiting.empty() && waiting.front().record.kind != RecordKind::Sync) {
      const Placed item = waiting.front();
      waiting.pop_front();
      const HandleUse use(handles_, files_, item.record.slot, item.record.generation);
      if (!use || (item.record.kind == RecordKind::Prefetch && announcer_.passed(item.record.call)))
        increment(announcer_.counts().skippedLate);
      else
        place(parking, item, use);
    }
  }
  return did;
}

bool ParkingLot::releaseByHand() {
  const std::uint64_t ends = handDirt_.ends();
  if (ends == handDirtEnds_)
    return false;
  handDirtEnds_ = ends;
  bool did = false;
  for (auto &[number, parking] : lot_)
    did |= std::erase_if(parking.byHand, [&, file = number](const Record &record) {
             if (handDirt_.holds(file, record.offset, record.length, record.call.occurrence))
               return false;
             ArrivingCall alone;
             const HandleUse use(handles_, files_, record.slot, record.generation);
             if (use)
               announceByHand(alone, record, use);
             else
               increment(announcer_.counts().dropped);
             return true;
           }) != 0;
  return did;
}

/// Nothing of its file precedes it.
void ParkingLot::place(Parking &parking, Placed item, const HandleUse &use) {
  const Record &record = item.record;
  switch (record.kind) {
  case RecordKind::Write:
    parking.dirty.add(record.offset, record.length, record.call, item.sequence, record.prediction);
    parking.dirty.sweep(*progress_);
    break;
  case RecordKind::Sync:
    parking.afterSync.push_back(item);
    break;
  case RecordKind::Prefetch:
    item.write = parking.dirty.lastPendingIn(record.offset, record.length, *progress_);
    increment(parked_, item.write ? 1 : 0);
    if (item.write || !announcer_.announce(item, use))
      parking.parked.push_back(item);
    break;
  case RecordKind::Read:
    break; // never parked: its producer waits, and so does its stream
  }
}

void ParkingLot::announceByHand(ArrivingCall &arriving, const Record &record,
                                const HandleUse &use) {
  std::uint64_t bytes = record.length;
  if (!announcer_.enterByHand(arriving, record, bytes)) {
    increment(announcer_.counts().dropped);
    return;
  }
  Placed item{record, arriving.sequence, {}};
  item.record.length = bytes;
  announcer_.announceByHand(item, use);
}

} // namespace forerun
