// SPDX-License-Identifier: Apache-2.0
#include "fetch/RequestQueue.h"

#include <algorithm>
#include <new>
#include <utility>

namespace forerun {

void RequestQueue::insert(FetchRequest &request) {
  request.arrival = ++arrivals_; // from 1: 0 is less than every queued request's
  request.queued = true;
  queuedBytes_ += request.length;
  try {
    byUrgency_.insert(&request);
    byPlace_.insert(&request);
  } catch (const std::bad_alloc &) {
    byUrgency_.erase(&request);
    unsorted_.push(request);
  }
}

void RequestQueue::erase(FetchRequest &request) {
  byUrgency_.erase(&request);
  byPlace_.erase(&request);
  queuedBytes_ -= request.length;
  request.queued = false;
}

void RequestQueue::raise(FetchRequest &request) {
  if (!request.queued || request.kind == FetchKind::Demand)
    return;
  auto sorted = byUrgency_.extract(&request);
  request.kind = FetchKind::Demand;
  if (!sorted.empty())
    byUrgency_.insert(std::move(sorted));
}

bool RequestQueue::takeOut(FetchRequest &request) {
  if (!request.queued || request.kind == FetchKind::Demand || byUrgency_.count(&request) == 0)
    return false;
  erase(request);
  return true;
}

/// The next one in the file that does not overlap.
FetchRequest *RequestQueue::after(const FetchRequest &last) const {
  FetchRequest key;
  key.file = last.file;
  key.offset = last.offset + last.length;
  auto found = byPlace_.lower_bound(&key);
  return found != byPlace_.end() && (*found)->file == last.file ? *found : nullptr;
}

FetchRequest *RequestQueue::before(const FetchRequest &first) const {
  FetchRequest key;
  key.file = first.file;
  key.offset = first.offset;
  auto found = byPlace_.lower_bound(&key);
  if (found == byPlace_.begin())
    return nullptr;
  FetchRequest &there = **std::prev(found);
  return there.file == first.file && there.offset + there.length <= first.offset ? &there : nullptr;
}

FetchRequest &RequestQueue::takeFirst() {
  if (FetchRequest *unsorted = unsorted_.pop()) {
    queuedBytes_ -= unsorted->length;
    unsorted->queued = false;
    return *unsorted;
  }
  FetchRequest &request = **byUrgency_.begin();
  erase(request);
  return request;
}

std::size_t RequestQueue::takeRun(Reach reach, Reach ofOneCall, std::span<FetchRequest *> into) {
  const bool isAlone = !unsorted_.empty();
  FetchRequest &first = takeFirst();
  std::size_t count = 0;
  std::uint64_t begin = first.offset, end = first.offset + first.length;
  into[count++] = &first;

  auto add = [&](FetchRequest *next) {
    if (isAlone || !next || count == into.size() || next->kind != first.kind)
      return false;
    const std::uint64_t high = next->offset + next->length;
    const std::uint64_t gap = next->offset >= end ? next->offset - end : begin - high;
    const std::uint64_t bytes = std::max(end, high) - std::min(begin, next->offset);
    auto within = [=](Reach limits) { return gap <= limits.gap && bytes <= limits.bytes; };
    const bool sameCall = first.sequence != 0 && next->sequence == first.sequence;
    if (!within(reach) && !(sameCall && within(ofOneCall)))
      return false;
    erase(*next);
    begin = std::min(begin, next->offset);
    end = std::max(end, high);
    into[count++] = next;
    return true;
  };
  // Forwards before backwards: most programs read upwards.
  while (add(after(*into[count - 1]))) {
  }
  std::size_t upwards = count;
  while (add(before(count == upwards ? first : *into[count - 1]))) {
  }
  // [first, up, up, ..., down, down, ...]: the downward ones, reversed, come first in the file.
  auto run = into.first(count);
  auto downwards = run.subspan(upwards);
  std::ranges::reverse(downwards);
  std::ranges::rotate(run, downwards.begin());
  return count;
}

} // namespace forerun
