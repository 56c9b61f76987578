// SPDX-License-Identifier: Apache-2.0
#include "channels/Forwarding.h"

#include <cstring>
#include <new>

namespace forerun {

/// Consecutive equal values. So a program that asks again and again whether something has come
/// takes no more memory for that.
struct Forwarding::Node {
  std::atomic<Node *> next{nullptr};
  std::byte *data = nullptr; ///< freed before the node, which still leads to the next
  std::size_t bytes = 0;
  std::ptrdiff_t shift = 0;
  std::uint64_t number = 0; ///< of the first of these values, in its queue
  /// The number of the first value after these. The sender adds values until the receiver, which
  /// has had them all, closes the node.
  std::atomic<std::uint64_t> end{0};
  static constexpr std::uint64_t kClosed = std::uint64_t{1} << 63;

  bool isLike(const Value &value) const {
    return data != nullptr && bytes == value.bytes && shift == value.shift &&
           (bytes == 0 || std::memcmp(data, value.data, bytes) == 0);
  }
  /// Adds an equal value with this number; false if closed, or if others have been left out.
  bool add(std::uint64_t its) { return end.compare_exchange_strong(its, its + 1); }
  /// Closes the node, if it has no value with this number or a later one.
  bool closeBefore(std::uint64_t wanted) {
    std::uint64_t behind = end.load();
    while (behind <= wanted)
      if (end.compare_exchange_strong(behind, behind | kClosed))
        return true;
    return false;
  }

  std::size_t cost() const { return data != nullptr ? sizeof(Node) + bytes : 0; }

  /// Null: no memory.
  static Node *make(const Value &value) {
    Node *node = new (std::nothrow) Node;
    if (node == nullptr)
      return nullptr;
    node->data = new (std::nothrow) std::byte[value.bytes + 1]; // never null, even for no bytes
    if (node->data == nullptr) {
      delete node;
      return nullptr;
    }
    if (value.bytes != 0)
      std::memcpy(node->data, value.data, value.bytes);
    node->bytes = value.bytes;
    node->shift = value.shift;
    return node;
  }
  void empty() {
    delete[] data;
    data = nullptr;
  }
};

Forwarding::~Forwarding() { giveBack(); }

const char *Forwarding::shut(const char *why) {
  const char *open = nullptr;
  return whyShut_.compare_exchange_strong(open, why) ? why : nullptr;
}

// ---- sender ----

bool Forwarding::isSender() {
  static thread_local char here;
  const void *nobody = nullptr;
  return sender_.compare_exchange_strong(nobody, &here) || nobody == &here;
}

Forwarding::Queue &Forwarding::queue(int site) {
  const auto index = static_cast<std::size_t>(site);
  while (queues_.size() <= index) {
    Queue &queue = queues_.emplace_back();
    queue.oldest = queue.newest = new Node;
    queue.taken.store(queue.oldest);
  }
  return queues_[index];
}

void Forwarding::begin(int sites, bool countsOn) {
  if (sites > 0)
    queue(sites - 1);
  begun_ = true;
  countsOn_ = countsOn;
}

const char *Forwarding::send(int site, const Value &value) {
  if (!isSender())
    return shut("a second thread of the program has values to forward");
  if (site < 0 || (begun_ && !isSite(site)))
    return nullptr;
  Queue &to = queue(site);
  if (to.sent < to.received.load(std::memory_order_acquire)) {
    ++to.sent;
    return nullptr;
  }
  if (abandoned_.load(std::memory_order_acquire) && countsOn_) {
    ++to.sent;
    return nullptr;
  }
  if (abandoned_.load(std::memory_order_acquire)) {
    shut("the receiver has ended");
    giveBack();
    return nullptr;
  }
  reclaim(to);
  const auto fits = [&] { return value.bytes <= kMaxBytes - bytes_; };
  if (bytes_ > kMaxBytes || !fits())
    for (Queue &each : queues_)
      reclaim(each);
  if (bytes_ > kMaxBytes || !fits())
    return shut("too many values were waiting for it");
  if (!to.newest->isLike(value) || !to.newest->add(to.sent))
    return append(to, value) ? nullptr : shut("out of memory for the values forwarded to it");
  ++to.sent;
  arrived_.notify();
  return nullptr;
}

bool Forwarding::append(Queue &queue, const Value &value) {
  Node *const node = Node::make(value);
  if (node == nullptr)
    return false;
  bytes_ += node->cost();
  fills_.store(bytes_ > kMuch, std::memory_order_relaxed);
  node->number = queue.sent++;
  node->end.store(queue.sent, std::memory_order_relaxed);
  queue.newest->next.store(node);
  queue.newest = node;
  arrived_.notify();
  return true;
}

/// Frees what the receiver has released.
void Forwarding::reclaim(Queue &queue) {
  Node *const taken = queue.taken.load(std::memory_order_acquire);
  while (queue.oldest != taken) {
    Node *const next = queue.oldest->next.load(std::memory_order_relaxed);
    bytes_ -= queue.oldest->cost();
    queue.oldest->empty();
    delete queue.oldest;
    queue.oldest = next;
  }
  bytes_ -= taken->cost();
  taken->empty();
}

void Forwarding::giveBack() {
  for (Queue &queue : queues_) {
    if (queue.newest == nullptr)
      continue;
    queue.taken.store(queue.newest);
    reclaim(queue);
    delete queue.newest;
    queue.oldest = queue.newest = nullptr;
  }
}

Forwarding::Count Forwarding::count(int site) const {
  if (!isSite(site))
    return {};
  const Queue &of = queues_[static_cast<std::size_t>(site)];
  return {of.sent, of.received.load()};
}

// ---- receiver ----

bool Forwarding::isSite(int site) const {
  return site >= 0 && static_cast<std::size_t>(site) < queues_.size();
}

/// The node with the next value, if it is there. The receiver moves up to it.
Forwarding::Node *Forwarding::wanted(int site) {
  Queue &from = queues_[static_cast<std::size_t>(site)];
  const std::uint64_t number = from.received.load(std::memory_order_relaxed);
  Node *next = from.taken.load(std::memory_order_relaxed)->next.load();
  while (next != nullptr && next->closeBefore(number)) {
    from.taken.store(next, std::memory_order_release);
    next = next->next.load();
  }
  return next;
}

bool Forwarding::hasArrived(int site) { return !isSite(site) || wanted(site) != nullptr; }

Forwarding::Value Forwarding::await(int site) {
  if (!isSite(site))
    return {nullptr, 0, 0};
  const Node *next = wanted(site);
  while (next == nullptr) {
    const auto key = arrived_.prepare();
    next = wanted(site);
    if (next == nullptr)
      arrived_.wait(key);
    else
      arrived_.cancel();
  }
  return {next->data, next->bytes, next->shift};
}

void Forwarding::awaitFor(int site, std::uint64_t nanoseconds) {
  const auto key = arrived_.prepare();
  if (hasArrived(site))
    arrived_.cancel();
  else
    arrived_.wait(key, nanoseconds);
}

void Forwarding::release(int site) {
  if (!isSite(site))
    return;
  queues_[static_cast<std::size_t>(site)].received.fetch_add(1, std::memory_order_release);
  wanted(site);
}

void Forwarding::passOver(int site, int values) {
  if (isSite(site))
    queues_[static_cast<std::size_t>(site)].received.fetch_add(static_cast<std::uint64_t>(values),
                                                               std::memory_order_release);
}

void Forwarding::abandon() {
  abandoned_.store(true, std::memory_order_release);
  arrived_.abandon();
}

} // namespace forerun
