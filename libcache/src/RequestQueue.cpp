// SPDX-License-Identifier: Apache-2.0
#include "RequestQueue.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace forerun {

bool RequestQueue::MoreUrgent::operator()(const FetchRequest *a, const FetchRequest *b) const {
  // Sequence 0 wraps to the largest number: last of its kind.
  auto key = [](const FetchRequest &r) {
    return std::tuple(r.kind != FetchKind::Demand, r.sequence - 1, r.arrival);
  };
  return key(*a) < key(*b);
}

bool RequestQueue::Before::operator()(const FetchRequest *a, const FetchRequest *b) const {
  if (a->file != b->file)
    return std::less<>()(a->file, b->file);
  return std::tie(a->offset, a->arrival) < std::tie(b->offset, b->arrival);
}

void RequestQueue::insert(FetchRequest &request) {
  request.arrival = ++arrivals_; // from 1: 0 is less than every queued request's
  request.queued = true;
  byUrgency_.insert(&request);
  byPlace_.insert(&request);
  queuedBytes_ += request.length;
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
  byUrgency_.erase(&request);
  request.kind = FetchKind::Demand;
  byUrgency_.insert(&request);
}

FetchRequest *RequestQueue::behind(const FetchRequest &last, std::size_t mostGap) const {
  const std::uint64_t end = last.offset + last.length;
  FetchRequest key;
  key.file = last.file;
  key.offset = end;
  auto found = byPlace_.lower_bound(&key);
  if (found == byPlace_.end())
    return nullptr;
  FetchRequest &there = **found;
  const bool isNear = there.file == last.file && there.offset - end <= mostGap;
  return isNear && there.kind == last.kind ? &there : nullptr;
}

FetchRequest *RequestQueue::before(const FetchRequest &first, std::size_t mostGap) const {
  FetchRequest key;
  key.file = first.file;
  key.offset = first.offset;
  auto found = byPlace_.lower_bound(&key);
  if (found == byPlace_.begin())
    return nullptr;
  FetchRequest &there = **std::prev(found);
  const std::uint64_t end = there.offset + there.length;
  const bool isNear =
      there.file == first.file && end <= first.offset && first.offset - end <= mostGap;
  return isNear && there.kind == first.kind ? &there : nullptr;
}

FetchRequest &RequestQueue::takeFirst() {
  FetchRequest &request = **byUrgency_.begin();
  erase(request);
  return request;
}

std::size_t RequestQueue::takeRun(std::size_t mostBytes, std::size_t mostGap,
                                  std::span<FetchRequest *> into) {
  FetchRequest &first = takeFirst();
  std::size_t count = 0;
  std::uint64_t begin = first.offset, end = first.offset + first.length;
  into[count++] = &first;

  auto add = [&](FetchRequest *next) {
    if (!next || count == into.size())
      return false;
    const std::uint64_t low = std::min(begin, next->offset);
    const std::uint64_t high = std::max(end, next->offset + next->length);
    if (high - low > mostBytes)
      return false;
    erase(*next);
    begin = low;
    end = high;
    into[count++] = next;
    return true;
  };
  // Forwards before backwards: most programs read upwards.
  while (add(behind(*into[count - 1], mostGap))) {
  }
  std::size_t upwards = count;
  while (add(before(count == upwards ? first : *into[count - 1], mostGap))) {
  }
  // [first, up, up, ..., down, down, ...]: the downward ones, reversed, come first in the file.
  auto run = into.first(count);
  auto downwards = run.subspan(upwards);
  std::ranges::reverse(downwards);
  std::ranges::rotate(run, downwards.begin());
  return count;
}

} // namespace forerun
