// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Recycler.h"
#include "fetch/FetchRequest.h"

#include <functional>
#include <memory_resource>
#include <set>
#include <span>
#include <tuple>

/// \file
/// The requests that wait to be issued, in two orders: by urgency, to find the next one, and by
/// place, to find its neighbours.
///
/// Invariants
///  - Both indexes hold the same requests; with the unsorted ones, exactly those with `queued` set.
///  - Urgency: demand before prefetch, then program order, then arrival. Requests that could not be
///    sorted for lack of memory come first, in order of arrival and one by one.
/// Threads: protected by the owner's lock.

namespace forerun {

/// How far apart requests may lie to be taken together.
struct Reach {
  std::size_t bytes = 0; ///< from the first to the last byte
  std::size_t gap = 0;   ///< between neighbours
};

class RequestQueue {
public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return byUrgency_.size() + unsorted_.size(); }
  std::size_t bytes() const { return queuedBytes_; }
  /// The most urgent request; the queue must not be empty.
  const FetchRequest &first() const {
    return unsorted_.empty() ? **byUrgency_.begin() : unsorted_.first();
  }

  void insert(FetchRequest &request);
  void raise(FetchRequest &request);
  bool takeOut(FetchRequest &request); ///< false: not a prefetch, or not here

  /// Takes out the most urgent request together with its neighbours in the file: requests of the
  /// same kind within \p reach, and those of the same sequence (parts of one call) also within
  /// \p ofOneCall, as many as \p into holds. \p into gets them by offset; at least one.
  std::size_t takeRun(Reach reach, Reach ofOneCall, std::span<FetchRequest *> into);
  /// Takes out the most urgent request.
  FetchRequest &takeFirst();

private:
  struct MoreUrgent {
    bool operator()(const FetchRequest *a, const FetchRequest *b) const {
      // Sequence 0 wraps to the largest number: last of its kind.
      auto key = [](const FetchRequest &r) {
        return std::tuple(r.kind != FetchKind::Demand, r.sequence - 1, r.arrival);
      };
      return key(*a) < key(*b);
    }
  };
  struct Before {
    bool operator()(const FetchRequest *a, const FetchRequest *b) const {
      if (a->file != b->file)
        return std::less<>()(a->file, b->file);
      return std::tie(a->offset, a->arrival) < std::tie(b->offset, b->arrival);
    }
  };

  void erase(FetchRequest &request);
  FetchRequest *after(const FetchRequest &last) const;
  FetchRequest *before(const FetchRequest &first) const;

  Recycler nodes_; ///< of both indexes
  std::pmr::set<FetchRequest *, MoreUrgent> byUrgency_{&nodes_};
  std::pmr::set<FetchRequest *, Before> byPlace_{&nodes_};
  RequestList unsorted_;
  std::size_t queuedBytes_ = 0;
  std::uint64_t arrivals_ = 0;
};

} // namespace forerun
