// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

/// \file
/// Values in flight from the main thread to the pre-execution thread, which cannot compute them
/// itself (input, messages, time, the environment). One queue per call site; the k-th value sent at
/// a site is the k-th one received there.
///
/// A queue is a list of nodes that the sender appends to and frees, and in which the receiver only
/// moves a pointer forward, past nodes that it has closed. Values that the receiver knows already
/// it passes over: the sender leaves them out if it learns of it in time.
///
/// Invariants
///  - The sender never waits. Memory is bounded: beyond kMaxBytes of values not yet received,
///    forwarding is shut for good.
///  - The receiver takes no lock and frees nothing: it may be ended at any instruction.

namespace forerun {

class Forwarding {
public:
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
  static constexpr std::size_t kMuch = kMaxBytes / 4;

  struct Value {
    const std::byte *data;
    std::size_t bytes;
    std::ptrdiff_t shift; ///< offset of the first byte from the given address
  };

  Forwarding() = default;
  ~Forwarding();
  Forwarding(const Forwarding &) = delete;
  Forwarding &operator=(const Forwarding &) = delete;

  // ---- sender: one thread, the first that calls one of these ----
  /// Copies the value. A site that the receiver does not have is ignored. Returns null, or why
  /// forwarding has been shut by this very call.
  const char *send(int site, const Value &value);
  /// A receiver is about to start; it has sites 0..sites-1. \p countsOn: values are counted even
  /// after it has ended, to be compared with what it has received.
  void begin(int sites, bool countsOn = false);
  void giveBack(); ///< frees all; only without a receiver, and when shut

  struct Count {
    std::uint64_t sent = 0, received = 0;
  };
  Count count(int site) const; ///< only without a receiver

  // ---- any thread ----
  bool isOpen() const { return whyShut_.load(std::memory_order_relaxed) == nullptr; }
  /// Much is waiting to be received: soon it may be too much.
  bool isFilling() const { return fills_.load(std::memory_order_relaxed); }
  const char *whyShut() const { return whyShut_.load(); } ///< null while open
  const char *shut(const char *why); ///< nothing more is sent; null if it was already shut

  // ---- receiver ----
  /// Waits for the next value of \p site, which stays until it is released. A site that does not
  /// exist has empty values.
  Value await(int site);
  bool hasArrived(int site); ///< `await` would not wait
  /// Sleeps until it has arrived, or something else has, or for that long.
  void awaitFor(int site, std::uint64_t nanoseconds);
  void release(int site);              ///< of the value that `await` gives; moves to the next one
  void passOver(int site, int values); ///< skips the next values, come or not
  void abandon();                      ///< the receiver has ended

private:
  struct Node;
  struct Queue {
    Node *oldest = nullptr; ///< sender: not freed yet
    Node *newest = nullptr; ///< sender
    /// Receiver: the node that it closed last (at first, one without a value).
    std::atomic<Node *> taken{nullptr};
    std::uint64_t sent = 0; ///< sender: values, including those left out
    /// Receiver: number of values received or passed over. The next one that it wants has this
    /// number, and it never wants an earlier one again: the sender may leave those out.
    std::atomic<std::uint64_t> received{0};
  };

  bool isSender();
  bool isSite(int site) const;
  Queue &queue(int site);
  Node *wanted(int site);
  bool append(Queue &queue, const Value &value);
  void reclaim(Queue &queue);

  std::deque<Queue> queues_; ///< by site; grows only before `begin`
  bool begun_ = false, countsOn_ = false;
  std::size_t bytes_ = 0;          ///< of values that have not been reclaimed
  std::atomic<bool> fills_{false}; ///< bytes_ is more than kMuch, as of the last value appended
  std::atomic<const void *> sender_{nullptr};
  std::atomic<const char *> whyShut_{nullptr};
  std::atomic<bool> abandoned_{false};
  EventCount arrived_;
};

} // namespace forerun
