// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"
#include "base/Record.h"
#include "channels/AwaitedCall.h"
#include "channels/Withdrawals.h"

#include <atomic>
#include <cstddef>
#include <memory>

/// \file
/// The lock-free path from one producer (the pre-execution thread, or threads that call by hand and
/// hold a mutex of their own) to the courier.
///
/// Invariants
///  - The producer may be ended at any instruction: records up to the published tail are complete,
///    and what was being written after it is never seen. It never holds a lock.
///  - Records are consumed in the order in which they were pushed. Those that depend on a wrong
///    prediction count as never pushed: the consumer learns of it for all that it has left.
///  - The bytes of a private read lie in the courier's staging buffer. The producer copies them out
///    itself, so that the courier never writes to the producer's memory.

namespace forerun {

class Stream {
public:
  /// \p capacity: in records, a power of two.
  Stream(std::size_t capacity, EventCount &consumerWake);
  std::size_t capacity() const { return mask_ + 1; }

  // ---- producer ----
  /// Appends; if the stream is full, sleeps until half of it is free. Returns false if the stream
  /// was shut meanwhile.
  bool push(const Record &record);
  /// Pushes a Read record and waits for its bytes; returns them (valid until the next call), with
  /// \p bytes set. Null if the read failed or the stream was shut.
  const void *exchange(const Record &record, std::size_t &bytes);
  /// What is pushed from now on depends on this prediction; 0: on none. If on one, a full stream
  /// refuses instead of waiting for room: the call at which it would wait may never come.
  void predict(std::uint32_t prediction) { prediction_ = prediction; }
  std::uint32_t prediction() const { return prediction_; }
  bool isHalfFull() const;
  /// These predictions were wrong.
  void withdraw(Withdrawals::Range predictions);

  // ---- consumer (the courier) ----
  const Record *front() const; ///< null when empty
  void pop();
  /// The call at which the producer waits: for room, or for the bytes of a private read. When it
  /// starts waiting it wakes the consumer. Calls by hand have none.
  std::optional<CallId> waiting() const { return waiting_.get(); }
  /// Answers the Read at the front, before the pop that wakes its producer.
  void answer(const void *data, std::size_t bytes, bool ok);
  const Withdrawals &withdrawals() const { return withdrawals_; } ///< any thread
  void shut(); ///< wakes a waiting producer; every later push is refused

private:
  bool awaitRoom(const Record &record);
  bool publish(const Record &record);

  std::size_t mask_;
  std::unique_ptr<Record[]> ring_;
  alignas(64) std::atomic<std::uint64_t> head_{0}; ///< written only by the consumer
  alignas(64) std::atomic<std::uint64_t> tail_{0}; ///< written only by the producer
  std::atomic<bool> shut_{false};
  EventCount &consumerWake_;
  EventCount producerWake_;
  AwaitedCall waiting_;
  std::atomic<std::uint64_t> answers_{0};
  const void *answerData_ = nullptr;
  std::size_t answerBytes_ = 0;
  bool answerOk_ = false;
  std::uint32_t prediction_ = 0; ///< the producer's
  Withdrawals withdrawals_;
};

} // namespace forerun
