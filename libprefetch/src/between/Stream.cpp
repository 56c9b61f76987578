// SPDX-License-Identifier: Apache-2.0
#include "between/Stream.h"

#include <bit>
#include <cassert>

namespace forerun {

Stream::Stream(std::size_t capacity, EventCount &consumerWake)
    : mask_(capacity - 1), ring_(std::make_unique<Record[]>(capacity)),
      consumerWake_(consumerWake) {
  assert(std::has_single_bit(capacity));
}

bool Stream::push(const Record &record) {
  const auto tail = tail_.load(std::memory_order_relaxed);
  const auto full = [&] { return tail - head_.load(std::memory_order_acquire) > mask_; };
  if (prediction_ != 0 && full())
    return false;
  while (full() && !shut_.load()) {
    const auto key = producerWake_.prepare();
    if (full() && !shut_.load())
      awaitConsumer(record.call, key);
    else
      producerWake_.cancel();
  }
  if (shut_.load())
    return false;
  ring_[tail & mask_] = record;
  ring_[tail & mask_].prediction = prediction_;
  // Sequentially consistent, like pop: either the consumer sees the record when it checks before it
  // sleeps, or this sees that the consumer had taken all. A consumer that leaves records in the
  // stream (the leash is taut) is not woken for more of them.
  tail_.store(tail + 1);
  if (head_.load() == tail)
    consumerWake_.notify();
  return true;
}

bool Stream::isHalfFull() const {
  return tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_acquire) > mask_ / 2;
}

void Stream::withdraw(Withdrawals::Range predictions) {
  withdrawals_.add(predictions);
  consumerWake_.notify();
}

/// The consumer is told: it may be asleep with records that it has left in the stream.
void Stream::awaitConsumer(CallId at, std::uint32_t key) {
  waiting_.set(at);
  consumerWake_.notify();
  producerWake_.wait(key);
  waiting_.clear();
}

const void *Stream::exchange(const Record &record, std::size_t &bytes) {
  // Only this thread asks, one request at a time: the next answer is ours.
  const auto before = answers_.load(std::memory_order_relaxed);
  const auto answered = [&] { return answers_.load(std::memory_order_acquire) != before; };
  bytes = 0;
  if (!push(record))
    return nullptr;
  while (!answered()) {
    const auto key = producerWake_.prepare();
    if (answered() || shut_.load()) {
      producerWake_.cancel();
      break;
    }
    awaitConsumer(record.call, key);
  }
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

void Stream::answer(const void *data, std::size_t bytes, bool ok) {
  answerData_ = data;
  answerBytes_ = bytes;
  answerOk_ = ok;
  answers_.fetch_add(1, std::memory_order_release);
  producerWake_.notify();
}

void Stream::shut() {
  shut_.store(true);
  producerWake_.notify();
  consumerWake_.notify(); // a producer that was ended may not have reached its own notify
}

} // namespace forerun
