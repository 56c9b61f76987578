// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/EventCount.h"
#include "base/Options.h"
#include "channels/PrefetchDistance.h"
#include "channels/Progress.h"
#include "channels/Stream.h"
#include "channels/Trail.h"
#include "courier/Courier.h"
#include "files/HandleTable.h"
#include "forerun/Cache.h"
#include "forerun/Mutex.h"
#include "forerun/Peers.h"
#include "forerun/Pool.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

/// \file
/// The cache of a process and what feeds it: the open files, the streams of records, the courier.
///
/// Main threads make the courier and the cache at their first use; they are never destroyed.
/// Everything else may be called from any thread.

namespace forerun {

class CacheHost {
public:
  struct Surroundings {
    std::function<Progress *()> progress;        ///< null before there is a pre-execution thread
    std::function<void(const char *what)> say;   ///< on stderr, under FORERUN_DEBUG
    std::function<void(const char *why)> giveUp; ///< ends the pre-execution thread; does not wait
  };
  CacheHost(const Options &options, Surroundings around);
  CacheHost(const CacheHost &) = delete;
  CacheHost &operator=(const CacheHost &) = delete;

  // ---- main threads ----
  /// What a file opened with certain hints gets.
  struct Admission {
    Cache *cache = nullptr; ///< null: the hints switch it off, or it could not be made
    Options options{};      ///< in force for the file
    std::vector<IgnoredHint> ignored{};
  };
  /// The first file that is admitted to a cache determines the options of Scope::FirstFile, and the
  /// cache is made.
  Admission admit(MPI_Info info);
  /// Why this process would meet the others that open a file with these hints together with it.
  enum class Meets {
    Not,
    First,     ///< it has met nobody yet
    FirstHere, ///< and all processes of its job are on this node
    Named,     ///< it shares its cache with other nodes: the file gets a name
  };
  Meets meets(int amode, MPI_Info info);
  /// Collective if no process says Not; \p least: the minimum of what they say. Throws nothing: the
  /// others would wait. Returns the file's name, or 0.
  std::uint64_t meet(MPI_Comm comm, int amode, MPI_Info info, Meets least) noexcept;
  Courier &courier(); ///< made by the first call; not started
  /// For pushing; starts the courier. (For records of the pre-execution thread, the courier has run
  /// since the launch.)
  Stream &handStream();
  /// MPI_Finalize is over and no file is open: no thread reads. Further calls do nothing.
  void endFetching();

  // ---- any thread ----
  Cache *cache() const { return cache_.load(); } ///< null before the first file with a cache
  Courier *courierIfMade() const { return courier_.load(); }
  HandleTable &handles() { return handles_; }
  Stream &preStream() { return preStream_; }
  Trail &trail() { return trail_; }
  const PrefetchDistance &distance() const { return distance_; }

private:
  void meetFirst(MPI_Comm comm, MPI_Info info, bool areHere);
  std::uint64_t nameIn(MPI_Comm comm) FORERUN_EXCLUDES(making_);
  bool make(const Options &first, Courier &courier) FORERUN_REQUIRES(making_);
  Courier &makeCourier() FORERUN_REQUIRES(making_);
  void observe(Cache &cache, Courier &courier);

  const Options &options_;
  const Surroundings around_;
  HandleTable handles_;
  EventCount courierWake_; ///< where both streams wake their consumer
  Stream preStream_;
  Stream handStream_;
  Trail trail_;
  Mutex making_;                                           ///< for making the cache and the courier
  std::unique_ptr<Pool> pool_ FORERUN_GUARDED_BY(making_); ///< until the cache is made
  Peers *peers_ FORERUN_GUARDED_BY(making_) = nullptr;     ///< likewise; it stays (Peers.h)
  /// Of processes that are each other's peers; 0: this process has no peers.
  std::uint64_t circle_ FORERUN_GUARDED_BY(making_) = 0;
  std::uint64_t lastName_ FORERUN_GUARDED_BY(making_) = 0; ///< of those that this process has given
  std::optional<CacheConfig> met_ FORERUN_GUARDED_BY(making_); ///< what it was made for
  bool failed_ FORERUN_GUARDED_BY(making_) = false;
  std::optional<const Options> first_ FORERUN_GUARDED_BY(making_); ///< of the first file
  PrefetchDistance distance_; ///< by the hints of the first file
  std::atomic<Cache *> cache_{nullptr};
  std::atomic<bool> fetchingEnded_{false};
  std::atomic<Courier *> courier_{nullptr};
};

} // namespace forerun
