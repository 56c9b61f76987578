// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Counter.h"
#include "channels/Progress.h"
#include "courier/Announcer.h"
#include "courier/HandDirt.h"
#include "courier/Parking.h"
#include "files/HandleTable.h"
#include "files/OpenFiles.h"

#include <cstdint>
#include <map>

/// \file
/// What waits until the main thread has passed a write or a synchronisation point, by file, and its
/// release. Threads: only the courier; any thread may read `parked`.

namespace forerun {

class ParkingLot {
public:
  ParkingLot(HandleTable &handles, OpenFiles &files, Announcer &announcer, HandDirt &handDirt)
      : handles_(handles), files_(files), announcer_(announcer), handDirt_(handDirt) {}

  /// At the beginning of each turn.
  void begin(const Progress *progress) { progress_ = progress; }
  void forgetClosedFiles();
  void withdraw(Withdrawals::Range wrong); ///< what depends on these predictions
  void dropPrefetches();                   ///< prefetching has been suspended

  /// Whether something waits for a certain call of the main thread, and not for room.
  bool waitsForACall() const;
  /// Whether nothing that the main thread has not passed is to change these bytes.
  bool mayRead(const Record &record, const HandleUse &use);

  /// Announces an item, or has it wait.
  void put(const Placed &item, const HandleUse &use);
  /// The same for a prefetch by hand.
  void putByHand(ArrivingCall &arriving, const Record &record, const HandleUse &use);

  /// @{ What waits no longer is announced. True if anything was done.
  bool release();
  bool releaseByHand(); ///< also while suspended: calls by hand go on then
  /// @}
  std::uint64_t parked() const { return read(parked_); } ///< that had to wait

private:
  bool releaseParked(Parking &parking);
  bool releaseSynchronised(Parking &parking);
  void place(Parking &parking, Placed item, const HandleUse &use);
  void announceByHand(ArrivingCall &arriving, const Record &record, const HandleUse &use);

  HandleTable &handles_;
  OpenFiles &files_;
  Announcer &announcer_;
  HandDirt &handDirt_;
  const Progress *progress_ = nullptr;
  std::map<std::uint64_t, Parking> lot_; ///< by OpenFile::number, which is never reused
  std::uint64_t closings_ = 0;
  std::uint64_t handDirtEnds_ = 0; ///< how many it has followed
  Counter parked_{0};
};

} // namespace forerun
