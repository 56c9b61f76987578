// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_FETCHREQUEST_H
#define FORERUN_FETCHREQUEST_H

#include "base/PeerPage.h"
#include "forerun/Cache.h"

#include <cstddef>
#include <cstdint>
#include <functional>

/// \file
/// What the fetch engine is asked for: a run of bytes of a file that it has opened. Data only, used
/// by everything in this folder and by the pages that the bytes are for.
/// Threads: a request belongs to the engine from its submission to its completion, and to its
/// submitter before and after.

namespace forerun {

class FetchLane;
class StorageCost;

/// A file as the engine knows it: made by `FetchEngine::openFile`, ended by `closeFile`. Backends
/// derive theirs from it.
class FetchFile {
public:
  FetchFile() = default;
  virtual ~FetchFile() = default;
  FetchFile(const FetchFile &) = delete;
  FetchFile &operator=(const FetchFile &) = delete;

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
  FetchRequest *nextUnsorted = nullptr; ///< RequestQueue's
  FetchRequest *nextPosted = nullptr;   ///< PeerEngine's
  bool asksPeers = false;
  std::uint32_t want = 0; ///< its number for it, or for what it is a part of
  bool isPart = false;
};

/// What an engine calls with every request that is done, successfully or not.
using Completed = std::function<void(FetchRequest &)>;

} // namespace forerun

#endif
