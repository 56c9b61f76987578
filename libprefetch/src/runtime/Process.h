// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PROCESS_H
#define FORERUN_PROCESS_H

#include "base/KeptTexts.h"
#include "base/Message.h"
#include "base/Options.h"
#include "between/Deferred.h"
#include "between/EarlyPasses.h"
#include "between/Exchange.h"
#include "between/ForwardedTypes.h"
#include "between/Forwarding.h"
#include "between/Groups.h"
#include "between/Progress.h"
#include "between/Stream.h"
#include "files/Handle.h"
#include "forerun/Cache.h"
#include "thread/Beginning.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mpi.h>
#include <mutex>

/// \file
/// The one process-wide object of libforerun (MPI itself is one). Never destroyed: library threads
/// may outlive main().

namespace forerun {

class Check;
class Courier;
class PreThread;

class Runtime {
public:
  static Runtime &get();
  Runtime(const Runtime &) = delete;
  Runtime &operator=(const Runtime &) = delete;

  const Options &options() const; ///< environment over defaults; hints are per file
  bool enabled() const;           ///< FORERUN is not 0 and MPI gives what we need
  void disable(const char *why);  ///< says so under FORERUN_DEBUG; for the rest of the process
  /// Why nothing runs ahead, for the report; empty when it did, or nobody asked for it.
  const char *whyOff() const;
  void debug(const Message &message) const; ///< writes it under FORERUN_DEBUG

  Check *check() const { return check_.get(); } ///< null unless FORERUN_CHECK is given

  /// Whether a patched MPI-IO has taken our table; without one nothing is launched.
  void noteDoor(bool registered);
  bool mayLaunch() const; ///< as far as is known before MPI_Init

  // ---- MPI, on main threads ----
  /// Learns the rank and hangs `finalize` on MPI_COMM_SELF; the first call after MPI_Init counts.
  void mpiIsUp();
  void mpiIsUpEverywhere();          ///< ... and the report may count on every rank
  void begin(int argc, char **argv); ///< main begins
  /// Collective, on every process of a program whose pre-execution threads exchange messages,
  /// whatever is switched off there.
  void openExchange();
  /// Executes \p pre(argc, argv) ahead, with what main began with.
  void start(int (*pre)(int argc, char **argv), int sites);
  /// Executes \p pre on a copy of the data ahead. At most one start or launch.
  void launch(void (*pre)(void *), const void *data, std::size_t bytes, int sites,
              std::unique_ptr<RandomStreams> random = nullptr);
  /// The pre-execution thread and the courier are ended, the report is printed; MPI still works.
  /// More calls do nothing.
  void finalize();
  /// Asks the pre-execution thread to end and does not wait; for when predictions fail.
  void endPreThread(const char *why);

  /// The calling thread has opened a file: the door says so (also of files without a cache), and
  /// forerun_main_done hands it to the pre-execution thread. The path may go after the call.
  void noteOpened(const OpenedFile &opened);
  OpenedFile takeOpened(); ///< what was noted since the last call, else MPI_FILE_NULL
  /// The calling thread has executed \p site once more; with the file that it noted since the last
  /// call, if the call was successful.
  void pass(int site, bool successful);

  /// The cache; made by the first attach with that file's effective options. Null when off or on
  /// failure.
  Cache *cache(const Options &effective);
  Cache *cacheIfMade();

  HandleTable &handles();
  Stream &preStream();
  Stream &handStream();
  EventCount &courierWake(); ///< where both streams wake their consumer
  /// Whether values that the main thread hands over have, or may still get, a receiver.
  bool forwards() const { return mayLaunch() && forwarding_.isOpen(); }
  Forwarding &forwarding() { return forwarding_; }
  Deferred &deferred() { return deferred_; }
  ForwardedTypes &forwardedTypes() { return forwardedTypes_; }
  Exchange &exchange() { return exchange_; }
  Groups &groups() { return groups_; } ///< communicators that were handed over, and MPI_COMM_WORLD
  Progress *progress();                ///< null before forerun_main_launch; lives for ever
  Courier &courier(); ///< made by the first call, which must come from a main thread; not started

  // ---- the calling thread ----
  bool onPreThread() const;
  /// Pre-execution thread: whether it may, at all.
  bool mayCallMpi() const { return mayCallMpi_; }
  CallId currentCall() const; ///< set by forerun_pre_at; {-1, 0} elsewhere

  /// While one of these lives on the pre-execution thread, ending that thread is put off: for the
  /// few places where it must call into MPI or allocate (type inspection when a view is set). Never
  /// held while waiting.
  class Unstoppable {
  public:
    Unstoppable();
    ~Unstoppable();
    Unstoppable(const Unstoppable &) = delete;
    Unstoppable &operator=(const Unstoppable &) = delete;
  };

private:
  Runtime();
  ~Runtime() = delete;
  void endOfCheck();
  const char *whyNoLaunch() const; ///< null: nothing speaks against it

  Options options_;
  std::atomic<bool> disabled_{false};
  std::atomic<const char *> whyOff_{""};
  std::atomic<bool> door_{false};
  bool mayCallMpi_ = false; ///< set before the pre-execution thread starts
  std::once_flag mpiUp_;
  std::atomic<bool> everywhere_{false};
  std::once_flag finalized_;
  HandleTable handles_;
  EventCount courierWake_;
  Stream preStream_;
  Stream handStream_;
  std::unique_ptr<Beginning> beginning_; ///< null: the program was not sliced
  EarlyPasses early_;
  KeptTexts paths_; ///< of the files opened while there is a pre-execution thread
  Forwarding forwarding_;
  Deferred deferred_;
  ForwardedTypes forwardedTypes_;
  Exchange exchange_;
  Groups groups_;
  std::atomic<Progress *> progress_{nullptr};
  std::mutex making_; ///< of the cache and the courier; taken by main threads only
  const std::unique_ptr<Check> check_;
  bool cacheFailed_ = false;
  std::atomic<Cache *> cache_{nullptr};
  std::atomic<Courier *> courier_{nullptr};
  std::atomic<bool> launched_{false};
  std::atomic<PreThread *> preThread_{nullptr};
};

} // namespace forerun

#endif
