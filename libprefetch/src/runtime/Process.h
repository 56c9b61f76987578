// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PROCESS_H
#define FORERUN_PROCESS_H

#include "base/KeptTexts.h"
#include "base/Message.h"
#include "base/Options.h"
#include "between/EarlyPasses.h"
#include "between/Progress.h"
#include "runtime/CacheHost.h"
#include "runtime/HandingOver.h"
#include "thread/Beginning.h"
#include "thread/PreThread.h"
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
/// pre-execution thread, what main threads tell that, and what is done at MPI_Finalize. It owns all
/// the rest. There is one (calls/TheProcess.h), which is never destroyed, since library threads may
/// outlive main().
///
/// Threads: main threads, but where it says otherwise.

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
  } ///< environment over defaults; hints are per file
  bool enabled() const { return options_.enabled; }
  /// Why nothing runs ahead, for the report; empty when it did, or nobody asked for it.
  const char *whyOff() const;
  void debug(const Message &message) const; ///< writes it under FORERUN_DEBUG
  /// Whether a patched MPI-IO has taken our table; without one nothing is launched.
  void noteDoor(bool registered) { door_.store(registered); }
  bool mayLaunch() const; ///< as far as is known before MPI_Init

  // ---- beginning ----
  /// Learns the rank and hangs `finalize` on MPI_COMM_SELF; the first call after MPI_Init counts.
  void mpiIsUp();
  void mpiIsUpEverywhere(); ///< ... and the report may count on every rank
  /// MPI was asked for more threads than the program wants: what that is told to have got.
  void notePreCallsNoMpi() { preCallsMpi_.store(false); }
  bool preCallsMpi() const { return preCallsMpi_.load(); } ///< the pre-execution thread may

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
  /// The calling thread has opened a file: the door says so (also of files without a cache), and
  /// `pass` hands it to the pre-execution thread. The path may be freed after the call.
  void noteOpened(const OpenedFile &opened);
  OpenedFile takeOpened(); ///< what was noted since the last call, else MPI_FILE_NULL
  /// The calling thread has executed \p site once more; with the file that it noted since the last
  /// call, if the call was successful.
  void pass(int site, bool successful);
  /// Whether values that the main thread hands over have, or may still get, a receiver.
  bool forwards() const { return mayLaunch() && handing_.values.isOpen(); }
  HandingOver &handing() { return handing_; }
  CacheHost &host() { return host_; }
  Progress *progress() const; ///< null before the launch; lives for ever; any thread
  const PreThread *preThread() const { return preThread_.load(); } ///< null before the launch
  /// Made by the first call, for the HDF5 of this path; any thread but the pre-execution thread.
  Hdf5Prefetcher &hdf5(const std::string &library);

  // ---- end ----
  /// `finalize` gives the pre-execution thread time to come to its own end, and calls \p act when
  /// it and the courier have ended, while all that they counted is still there. Before the first
  /// call of anything else, as is atFinalize.
  void atStop(std::function<void()> act);
  /// `finalize` calls \p act last, where every rank does.
  void atFinalize(std::function<void(MPI_Comm world)> act);
  /// Ends the pre-execution thread and the courier; MPI still works. More calls do nothing.
  void finalize();
  /// Asks the pre-execution thread to end and does not wait. Any thread.
  void endPreThread(const char *why);
  /// There was no memory for something: the program runs on without it, and without its
  /// pre-execution thread. On that thread it does not return. Any thread.
  void goOnWithout(const char *what);

private:
  void launch(PreThread::Launch launch, int sites);
  const char *whyNoLaunch() const; ///< null: nothing speaks against it
  void sayOff() const;
  void refuse(const char *why);
  /// A step of the end; the others are made whatever becomes of it.
  void attempt(const std::function<void()> &act);

  const Options options_;
  std::atomic<const char *> whyOff_{""};
  std::atomic<bool> door_{false};
  std::once_flag mpiUp_;
  std::atomic<bool> everywhere_{false};
  std::atomic<bool> preCallsMpi_{true};
  std::atomic<int> toldLevel_{MPI_THREAD_MULTIPLE};
  std::once_flag finalized_;
  std::atomic<bool> short_{false}; ///< there was no memory for something
  std::vector<std::function<void()>> stopActs_;
  std::vector<std::function<void(MPI_Comm)>> finalActs_;
  CacheHost host_;
  std::unique_ptr<Beginning> beginning_; ///< null: the program was not sliced
  EarlyPasses early_;
  KeptTexts paths_; ///< of the files opened while there is a pre-execution thread
  HandingOver handing_;
  std::atomic<Progress *> progress_{nullptr};
  std::atomic<bool> launched_{false};
  std::atomic<PreThread *> preThread_{nullptr};
  std::once_flag hdf5Made_;
  std::atomic<Hdf5Prefetcher *> hdf5_{nullptr};
};

} // namespace forerun

#endif
