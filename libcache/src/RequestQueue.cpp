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

FetchRequest *RequestQueue::startingAt(const FetchRequest &like, std::uint64_t offset) const {
  FetchRequest key;
  key.file = like.file;
  key.offset = offset;
  auto found = byPlace_.lower_bound(&key);
  if (found == byPlace_.end())
    return nullptr;
  FetchRequest &there = **found;
  return there.file == like.file && there.offset == offset && there.kind == like.kind ? &there
                                                                                      : nullptr;
}

FetchRequest *RequestQueue::endingAt(const FetchRequest &next) const {
  FetchRequest key;
  key.file = next.file;
  key.offset = next.offset;
  auto found = byPlace_.lower_bound(&key);
  if (found == byPlace_.begin())
    return nullptr;
  FetchRequest &there = **std::prev(found);
  bool adjoins = there.file == next.file && there.offset + there.length == next.offset;
  return adjoins && there.kind == next.kind ? &there : nullptr;
}

FetchRequest &RequestQueue::takeFirst() {
  FetchRequest &request = **byUrgency_.begin();
  erase(request);
  return request;
}

std::size_t RequestQueue::takeRun(std::size_t mostBytes, std::span<FetchRequest *> into) {
  FetchRequest &first = takeFirst();
  std::size_t count = 0;
  std::size_t total = first.length;
  into[count++] = &first;

  auto add = [&](FetchRequest *next) {
    if (!next || count == into.size() || total + next->length > mostBytes)
      return false;
    erase(*next);
    total += next->length;
    into[count++] = next;
    return true;
  };
  // Forwards before backwards: most programs read upwards.
  std::uint64_t end = first.offset + first.length;
  while (FetchRequest *next = startingAt(first, end)) {
    if (!add(next))
      break;
    end += next->length;
  }
  std::size_t upwards = count;
  while (add(endingAt(count == upwards ? first : *into[count - 1]))) {
  }
  // [first, up, up, ..., down, down, ...]: the downward ones, reversed, come first in the file.
  auto run = into.first(count);
  auto downwards = run.subspan(upwards);
  std::ranges::reverse(downwards);
  std::ranges::rotate(run, downwards.begin());
  return count;
}

} // namespace forerun
