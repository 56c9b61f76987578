// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "fetch/FetchEngine.h"
#include "fetch/StorageCost.h"
#include "forerun/Mutex.h"
#include "peers/Mailbox.h"
#include "peers/PeerProbe.h"
#include "peers/PeerTransport.h"
#include "peers/Wants.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <thread>
#include <vector>

/// \file
/// A fetch engine that asks the caches of other nodes first, and the storage second: it connects
/// the protocol (Peer.h) with threads, time and memory.
///
///     submit, queue --> posted --> Peer --> others --> arrived --.
///                                    |                            +--> Completed
///                                    '--> storage --> partDone --'
///
/// Requests for pages that are not shared go to the storage at once, and so do all while it is
/// known to be faster (StorageCost.h) than others (PeerProbe.h).
///
/// Invariants
///  - The protocol runs in one thread, the service, which sleeps while there is nothing to do and
///    waits only for messages and posts. So others are answered however long the program computes.
///  - A want belongs to the service from its beginning to its end. Sectors of it that have come,
///    while others have not, lie in the request's buffer, and are given from there.
///  - No lock is held when `copy`, `Completed` or the storage's engine is called.
///  - If the service has no memory it breaks off: requests to others fail, others get no more
///    answers, and the storage serves what comes.
/// Threads: like FetchEngine.

namespace forerun {

class PeerEngine final : public FetchEngine, private Peer::Surroundings {
public:
  /// Like Peer::Surroundings::copy; from the service's thread.
  using Lend = std::function<Sectors(const PeerPage &page, std::uint32_t epoch, Sectors sectors,
                                     std::byte *to)>;
  using MakeStorage = std::function<std::unique_ptr<FetchEngine>(Completed)>;
  struct Peers {
    std::shared_ptr<PeerTransport> transport;
    Rank self = 0;
    Rank ranks = 1;
    Rank partner = 0; ///< with whom the speed of others is measured
  };

  /// Null: the storage's engine could not be made, or there is no thread.
  static std::unique_ptr<PeerEngine> create(const CacheConfig &config, Peers peers, Lend lend,
                                            Completed completed, const MakeStorage &makeStorage);
  ~PeerEngine() override;
  PeerEngine(const PeerEngine &) = delete;
  PeerEngine &operator=(const PeerEngine &) = delete;
  void stop() override;

  FetchFile *openFile(const FileSource &source, forerun_rc &rc) override;
  void closeFile(FetchFile *file) override { storage_->closeFile(file); }
  void queue(std::span<FetchRequest *const> requests) override;
  void flush() override;
  void submitAndRead(FetchRequest &request) override;
  void raise(FetchRequest &request) override;
  bool takeBack(FetchRequest &request) override;
  void dropped(const PeerPage &page, Sectors sectors) override;
  const char *name() const override { return storage_->name(); }

  Peer::Counts counts() const { return mailbox_.counts(); } ///< as of a moment ago
  Said saidToPeers() const override;

private:
  PeerEngine(const CacheConfig &config, Peers peers, Lend lend, Completed completed);
  bool asksPeers(const FetchRequest &request);
  void serve();
  template <typename Step> void orBreakOff(const Step &step);
  void probe();
  void receive(Rank from, std::span<const PeerMessage> messages, std::span<const std::byte> bytes);
  void begin(FetchRequest &request);
  void partDone(FetchRequest &part);
  void endIfDone(WantNumber number);
  bool failWhatIsAsked(forerun_rc rc);
  void sendAndFetch();

  void send(Rank to, std::span<const PeerMessage> messages, PeerBytes bytes) override;
  Sectors copy(const PeerPage &page, std::uint32_t epoch, Sectors sectors, std::byte *to) override;
  void fetch(WantNumber number, Sectors sectors) override;
  void hasten(WantNumber number) override;
  void arrived(WantNumber number, Sectors sectors, std::span<const std::byte> bytes) override;

  const Geometry geometry_;
  const Lend lend_;
  const Completed completed_;
  const std::shared_ptr<PeerTransport> transport_;
  const BlockCyclic placement_;

  Mailbox mailbox_;
  /// The time that a page from another node takes, 0 while that is unknown.
  std::atomic<std::uint64_t> othersTakeNs_ = 0;
  std::atomic<std::uint64_t> probedNs_ = 0; ///< when that was last measured
  std::atomic<bool> isToProbe_ = false;     ///< somebody would like to know

  // ---- the service's ----
  Peer peer_;
  PeerProbe probe_;
  Wants wants_;
  std::vector<FetchRequest *> toFetch_; ///< what is to be requested from the storage next
  std::uint64_t lookedNs_ = 0;          ///< when overdue wants were last looked for
  bool asksStorage_ = true;
  bool brokeOff_ = false;

  Mutex mutex_;
  /// By file system (device). None is ever removed: files have pointers to them.
  std::map<std::uint64_t, StorageCost> costs_ FORERUN_GUARDED_BY(mutex_);

  std::unique_ptr<FetchEngine> storage_;
  std::thread service_;
};

} // namespace forerun
