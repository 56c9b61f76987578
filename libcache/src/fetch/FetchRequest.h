// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

/// \file
/// What the fetch engine is asked for: a run of bytes of a file that it has opened. Used by
/// everything in this folder and by the pages that the bytes are for.
/// Threads: a request belongs to the engine from its submission to its completion, and to its
/// submitter before and after.

namespace forerun {

using Rank = std::uint32_t;

/// A page of a file that several nodes have opened together.
struct PeerPage {
  std::uint64_t index = 0;
  /// As agreed on when it was opened, and only for that opening; 0: shared with nobody.
  std::uint64_t file = 0;

  bool operator==(const PeerPage &) const = default;
};

struct PeerPageHash {
  std::size_t operator()(const PeerPage &page) const {
    return std::hash<std::uint64_t>()((page.index * 0x9e3779b97f4a7c15) ^ page.file);
  }
};

class FetchLane;
class Transfer;
class StorageCost;

/// A file as the engine knows it: made by `FetchEngine::openFile`, ended by `closeFile`. Backends
/// derive theirs from it.
class FetchFile {
public:
  FetchFile() = default;
  virtual ~FetchFile() = default;
  FetchFile(const FetchFile &) = delete;
  FetchFile &operator=(const FetchFile &) = delete;

  /// Reads \p transfer to its end in the calling thread.
  virtual void read(Transfer & /*transfer*/) {}
  /// From now on it is read through another descriptor of the caller; reads in progress are not.
  virtual void useDescriptor(int /*fd*/) {}

  FetchLane *lane = nullptr;   ///< the engine's: where requests on the file are queued
  StorageCost *cost = nullptr; ///< PeerEngine's, of its file system; null: unknown
};

struct FetchRequest {
  FetchFile *file = nullptr;
  std::uint64_t offset = 0;
  std::size_t length = 0; ///< one run of bytes, at least one, at most a page
  void *buffer = nullptr; ///< aligned to 4 KiB when offset is
  FetchKind kind = FetchKind::Prefetch;
  Sequence sequence = 0; ///< 0 sorts after every announced request of the same kind
  void *owner = nullptr; ///< the submitter's
  /// If the bytes may come from another node: their page, and the epoch of the file in which, or
  /// after which, they must have been requested from the storage.
  PeerPage peerPage;
  std::uint32_t peerEpoch = 0;

  // Results, set before completion.
  forerun_rc rc = FORERUN_OK;
  std::size_t bytes = 0; ///< fewer than `length` only at the end of the file, or with an error
  std::uint64_t queuedNs = 0, issuedNs = 0, finishedNs = 0;
  unsigned inFlight = 0;     ///< transfers in flight when it was issued, including its own
  std::size_t peerBytes = 0; ///< how many of them came from other nodes

  // The engine's own.
  std::uint64_t arrival = 0; ///< breaks ties in the order
  bool queued = false;
  FetchRequest *next = nullptr; ///< RequestList's
  bool asksPeers = false;       ///< PeerEngine's
  std::uint32_t want = 0;       ///< its number for it, or for what it is a part of
  bool isPart = false;
};

/// Requests in order of arrival, without memory of its own: each is in at most one.
class RequestList {
public:
  bool empty() const { return first_ == nullptr; }
  std::size_t size() const { return size_; }
  const FetchRequest &first() const { return *first_; } ///< of some
  void push(FetchRequest &request) {
    request.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &request;
    last_ = &request;
    ++size_;
  }
  FetchRequest *pop() { ///< null: there is none
    FetchRequest *const request = first_;
    if (request != nullptr) {
      first_ = request->next;
      --size_;
    }
    return request;
  }

private:
  FetchRequest *first_ = nullptr, *last_ = nullptr;
  std::size_t size_ = 0;
};

/// Calls \p action with each run of \p requests that have one \p key.
template <typename Key, typename Action>
void eachRun(std::span<FetchRequest *const> requests, const Key &key, const Action &action) {
  while (!requests.empty()) {
    const auto isOther = [&, first = key(*requests.front())](const FetchRequest *each) {
      return key(*each) != first;
    };
    const auto end = std::ranges::find_if(requests, isOther);
    const auto run = requests.first(static_cast<std::size_t>(end - requests.begin()));
    requests = requests.subspan(run.size());
    action(run);
  }
}

/// What an engine calls with every request that is done, successfully or not.
using Completed = std::function<void(FetchRequest &)>;

} // namespace forerun
