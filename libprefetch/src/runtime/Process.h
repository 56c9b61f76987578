// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/KeptTexts.h"
#include "base/Message.h"
#include "base/Options.h"
#include "channels/EarlyPasses.h"
#include "channels/Progress.h"
#include "runtime/CacheHost.h"
#include "runtime/HandingOver.h"
#include "thread/PreThread.h"
#include "thread/StartState.h"
#include "twin/Hdf5Prefetcher.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <string>
#include <vector>

/// \file
/// Forerun in a process, from its start to its end: whether it is on, the launch of the
/// pre-execution thread, what main threads tell that thread, and what happens at MPI_Finalize. It
/// owns everything else. There is one (calls/TheProcess.h), which is never destroyed, since library
/// threads may outlive main().
///
/// Threads: main threads, unless stated otherwise.

namespace forerun {

class Process {
public:
  explicit Process(Options options);
  ~Process() = delete;
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  // ---- whether it is on; any thread ----
  const Options &options() const {
    return options_;
  } ///< environment overrides defaults; hints are per file
  bool enabled() const; ///< it is not switched off, and MPI, if it is there, is the one it knows
  /// Why nothing runs ahead, for the report; empty if it did, or nobody asked for it.
  const char *whyOff() const;
  void debug(const Message &message) const; ///< writes it under FORERUN_DEBUG
  /// Whether a patched MPI-IO has taken our table; without one nothing is launched.
  void noteDoor(bool registered) { door_.store(registered); }
  bool mayLaunch() const; ///< as far as is known before MPI_Init
  bool mayReport() const; ///< a report is asked for, of a run that may be off; MPI as for `enabled`
  /// The program's read calls are timed from now on, for the report.
  void timeReads();
  bool timesReads() const { return timesReads_.load(); }

  // ---- beginning ----
  /// Learns the rank and attaches `finalize` to MPI_COMM_SELF; once, after MPI_Init.
  void mpiIsUp();
  void mpiIsUpEverywhere(); ///< likewise, and the report may count on every rank
  void notePreCallsNoMpi() { preCallsMpi_.store(false); }
  bool preCallsMpi() const { return preCallsMpi_.load(); } ///< whether the pre-execution thread may

  /// If MPI was asked for a higher thread level than the program wants: what the program is told.
  void noteToldLevel(int level) { toldLevel_.store(level); }
  int toldLevel(int real) const;     ///< \p real, or less; any thread
  void begin(int argc, char **argv); ///< main begins
  /// Collective, on every process of a program whose pre-execution threads exchange messages,
  /// whatever is switched off there.
  void openExchange();
  /// Executes \p pre(argc, argv) ahead, with what main began with.
  void start(int (*pre)(int argc, char **argv), int sites);
  /// Executes \p pre on a copy of the data ahead. At most one start or launch.
  void launch(void (*pre)(void *), const void *data, std::size_t bytes, int sites) {
    launch({pre, data, bytes}, sites);
  }

  // ---- while it runs ----
  /// The calling thread has opened a file: the door reports it (also for files without a cache),
  /// and `pass` hands it to the pre-execution thread. The path may be freed after the call.
  void noteOpened(const OpenedFile &opened);
  OpenedFile takeOpened(); ///< what was noted since the last call, otherwise MPI_FILE_NULL
  /// The calling thread has executed \p site once more; with the file that it noted since the last
  /// call, if the call was successful.
  void pass(int site, bool successful);
  /// Whether values that the main thread hands over have a receiver, or may still get one.
  bool forwards() const { return mayLaunch() && handing_.values.isOpen(); }
  HandingOver &handing() { return handing_; }
  CacheHost &host() { return host_; }
  Progress *progress() const; ///< null before the launch; never destroyed; any thread
  /// Whether there are cores for the pre-execution thread, as far as known; only on that thread.
  bool hasCoresToSpare() const { return coresToSpare_; }
  const PreThread *preThread() const { return preThread_.load(); } ///< null before the launch
  /// Made by the first call, for the HDF5 of this path; any thread but the pre-execution thread.
  Hdf5Prefetcher &hdf5(const std::string &library);

  // ---- end ----
  /// `finalize` gives the pre-execution thread time to end by itself, and calls \p act when it and
  /// the courier have ended, while everything they counted still exists. To be called, like
  /// atFinalize, before anything else.
  void atStop(std::function<void()> act);
  /// `finalize` calls \p act last, where every rank calls it.
  void atFinalize(std::function<void(MPI_Comm world)> act);
  /// Ends the pre-execution thread and the courier; MPI still works. Further calls do nothing.
  void finalize();
  /// Asks the pre-execution thread to end, without waiting. Any thread.
  void endPreThread(const char *why);
  /// Memory for something was lacking: the program runs on without it, and without its
  /// pre-execution thread. On that thread it does not return. Any thread.
  void goOnWithout(const char *what);

private:
  void launch(PreThread::Launch launch, int sites);
  const char *whyNoLaunch() const; ///< null: nothing prevents it
  bool endPreThread();
  void sayOff() const;
  void refuse(const char *why);
  void sayWaits(const PreThread &thread) const;
  void sayNothingCame(const Courier &courier) const;
  /// A step of the end; the others are made whether or not it fails.
  void attempt(const std::function<void()> &act);

  const Options options_;
  std::atomic<const char *> whyOff_{""};
  std::atomic<bool> door_{false};
  std::atomic<bool> timesReads_{false};
  std::once_flag mpiUp_;
  std::atomic<bool> everywhere_{false};
  std::atomic<bool> preCallsMpi_{true};
  std::atomic<int> toldLevel_{MPI_THREAD_MULTIPLE};
  std::once_flag finalized_;
  std::atomic<bool> short_{false}; ///< memory for something was lacking
  std::vector<std::function<void()>> stopActs_;
  std::vector<std::function<void(MPI_Comm)>> finalActs_;
  CacheHost host_;
  std::unique_ptr<StartState> start_; ///< null: the program was not sliced
  EarlyPasses early_;
  KeptTexts paths_; ///< of the files opened while there is a pre-execution thread
  HandingOver handing_;
  std::atomic<Progress *> progress_{nullptr};
  std::atomic<bool> launched_{false};
  bool coresToSpare_ = false; ///< set before the pre-execution thread starts
  std::atomic<PreThread *> preThread_{nullptr};
  std::once_flag hdf5Made_;
  std::atomic<Hdf5Prefetcher *> hdf5_{nullptr};
};

} // namespace forerun
