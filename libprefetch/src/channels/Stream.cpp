// SPDX-License-Identifier: Apache-2.0
#include "channels/Stream.h"

#include <cassert>

namespace forerun {

Stream::Stream(std::size_t capacity, EventCount &consumerWake)
    : mask_(capacity - 1), ring_(std::make_unique<Record[]>(capacity)),
      consumerWake_(consumerWake) {
  assert(std::has_single_bit(capacity));
}

bool Stream::push(const Record &record) {
  if (!awaitRoom(record))
    return false;
  if (publish(record))
    consumerWake_.notify();
  return true;
}

/// False: the stream was shut, or there is no room and must be no wait. The consumer is told of a
/// wait: it may be asleep with records that it has left in the stream.
bool Stream::awaitRoom(const Record &record) {
  const auto tail = tail_.load(std::memory_order_relaxed);
  const auto full = [&] { return tail - head_.load(std::memory_order_acquire) > mask_; };
  if (prediction_ != 0 && full())
    return false;
  while (full() && !shut_.load()) {
    const auto key = producerWake_.prepare();
    if (!full() || shut_.load()) {
      producerWake_.cancel();
      break;
    }
    waiting_.set(record.call);
    consumerWake_.notify();
    producerWake_.wait(key);
    waiting_.clear();
  }
  return !shut_.load();
}

/// Returns whether the consumer may be asleep because it had taken all. Sequentially consistent,
/// like pop: either the consumer sees the record when it checks before it sleeps, or this sees that
/// it had taken all. A consumer that leaves records in the stream (the leash is taut) is not woken
/// for more of them.
bool Stream::publish(const Record &record) {
  const auto tail = tail_.load(std::memory_order_relaxed);
  ring_[tail & mask_] = record;
  ring_[tail & mask_].prediction = prediction_;
  tail_.store(tail + 1);
  return head_.load() == tail;
}

bool Stream::isHalfFull() const {
  return tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_acquire) > mask_ / 2;
}

void Stream::withdraw(Withdrawals::Range predictions) {
  withdrawals_.add(predictions);
  consumerWake_.notify();
}

/// The wait is told before the record is there, so that the consumer is woken once for both.
const void *Stream::exchange(const Record &record, std::size_t &bytes) {
  // Only this thread asks, one request at a time: the next answer is ours.
  const auto before = answers_.load(std::memory_order_relaxed);
  const auto answered = [&] { return answers_.load() != before; };
  bytes = 0;
  if (!awaitRoom(record))
    return nullptr;
  waiting_.set(record.call);
  publish(record);
  consumerWake_.notify();
  while (!answered() && !shut_.load()) {
    const auto key = producerWake_.prepare();
    if (answered() || shut_.load())
      producerWake_.cancel();
    else
      producerWake_.wait(key);
  }
  waiting_.clear();
  if (!answered() || !answerOk_)
    return nullptr;
  bytes = answerBytes_;
  return answerData_;
}

const Record *Stream::front() const {
  const auto head = head_.load(std::memory_order_relaxed);
  return head == tail_.load() ? nullptr : &ring_[head & mask_];
}

void Stream::pop() {
  const auto head = head_.load(std::memory_order_relaxed) + 1;
  head_.store(head);
  // A producer that met a full stream goes on when half of it is free, not record by record.
  if (tail_.load() - head <= mask_ / 2)
    producerWake_.notify();
}

/// The producer, which waits, has pushed nothing after the Read: the pop that follows wakes it.
void Stream::answer(const void *data, std::size_t bytes, bool ok) {
  answerData_ = data;
  answerBytes_ = bytes;
  answerOk_ = ok;
  answers_.fetch_add(1);
}

void Stream::shut() {
  shut_.store(true);
  producerWake_.notify();
  consumerWake_.notify(); // a producer that was ended may not have reached its own notify
}

} // namespace forerun
