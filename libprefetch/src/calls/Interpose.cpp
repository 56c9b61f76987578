// SPDX-License-Identifier: Apache-2.0
#include "calls/Guarded.h"
#include "calls/TheProcess.h"
#include "mpi/MeetMpi.h"
#include "thread/PreThread.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <mpi.h>
#include <string>
#include <unistd.h>

/// \file
/// Functions interposed before libc and MPI.
///
/// Ways out of the process: on the pre-execution thread they end only that thread. Emitted code
/// calls forerun_pre_exit; these are for library functions that end the program from inside. abort
/// needs none: it raises SIGABRT, without its lock.
///
/// MPI_Query_thread: the program is told what it would have got without Forerun, which may have
/// asked for more.
///
/// MPI_Barrier: where HDF5 calls it, files that several processes read and write begin an epoch.
/// Then they read what one has written for all (metadata, fill values) without MPI_File_sync.
///
/// MPI_Finalize: the pre-execution thread must have ended before MPI's begins, because MPICH then
/// abandons its locks, even those that another thread holds; and ranks that never opened a file
/// must take part in the report.
///
/// A program of any MPI may come by here. So communicators go on as they came, in words, and nothing
/// but passing on is done unless the MPI is known.

using forerun::PreThread;
using forerun::Process;

namespace {

void endIfPreThread(const char *why) {
  if (PreThread *self = PreThread::self())
    self->end(why);
}

template <typename Function> Function next(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Leave = void (*)(int);

// Looked up when the library is loaded: later, in a child between fork and exec, it could hang.
const Leave kNextExit = next<Leave>("exit");
const Leave kNextQuickExit = next<Leave>("quick_exit");
const Leave kNextUnderscoreExit = next<Leave>("_exit");

using Word = std::uintptr_t; // wide enough for the handles of every MPI

/// The next library's function of MPI. Where MPI was loaded ahead of us, MPI's own, by the name for
/// profilers.
template <typename... Arguments>
int callNext(std::atomic<void *> &found, const char *name, Arguments... arguments) {
  if (found == nullptr) {
    forerun_meet_mpi(); // also an MPI that only one module of the program sees
    found = dlsym(RTLD_NEXT, name);
    if (found == nullptr)
      found = dlsym(RTLD_DEFAULT, (std::string("P") + name).c_str());
  }
  const auto function = reinterpret_cast<int (*)(Arguments...)>(found.load());
  return function != nullptr ? function(arguments...) : MPI_ERR_OTHER;
}

bool isMpiKnown() { return forerun_meet_mpi() == kForerunOurMpi; }

/// \p name: as the program calls it. A call may come here twice, by way of a profiler.
int finalize(const char *name) {
  forerun::guarded([] {
    if (Process &process = forerun::theProcess(); process.enabled() || process.mayReport()) {
      process.mpiIsUpEverywhere();
      process.finalize();
    }
  });
  forerun_meet_mpi();
  const auto finalizeNext = next<int (*)()>(name);
  const int code = finalizeNext != nullptr ? finalizeNext() : MPI_ERR_OTHER;
  // Attributes of MPI_COMM_SELF may have read files until now. A remaining thread would keep a
  // program alive whose main function ends by pthread_exit.
  forerun::guarded([] { forerun::theProcess().host().endFetching(); });
  return code;
}

/// What MPI_Abort was given. MPI holds its lock there, so a call of MPI by a function that runs at
/// the exit (HDF5's) ends the process with a status of MPI's own.
std::atomic<bool> isAborting{false};
std::atomic<int> abortCode{0};

/// Whether a library contains HDF5, also one that the program has loaded with local scope.
bool isHdf5(const Dl_info &library) {
  void *const loaded = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  const void *const theirs = loaded != nullptr ? dlsym(loaded, "H5open") : nullptr;
  Dl_info found{};
  const bool isThere =
      theirs != nullptr && dladdr(theirs, &found) != 0 && found.dli_fbase == library.dli_fbase;
  if (loaded != nullptr)
    dlclose(loaded);
  dlerror(); // a failed lookup is not an error of the program
  return isThere;
}

/// Whether the code at \p address belongs to the program's HDF5.
bool isInHdf5(const void *address) {
  // Base addresses of the libraries that were seen last.
  static std::atomic<const void *> isOne{nullptr}, isNone{nullptr};
  Dl_info library{};
  if (dladdr(address, &library) == 0)
    return false;
  if (library.dli_fbase != isOne && library.dli_fbase != isNone)
    (isHdf5(library) ? isOne : isNone) = library.dli_fbase;
  return library.dli_fbase == isOne;
}

void outdateShared(const void *caller) {
  forerun::CacheHost &host = forerun::theProcess().host();
  forerun::Courier *const courier = host.courierIfMade();
  if (courier != nullptr && courier->files().haveShared() && isInHdf5(caller))
    courier->files().outdateShared(*host.cache());
}

[[noreturn]] void leave(Leave function, int status) {
  function(status);
  __builtin_unreachable();
}

} // namespace

extern "C" {

#define FORERUN_EXPORT __attribute__((visibility("default")))

FORERUN_EXPORT void exit(int status) noexcept {
  endIfPreThread("exit");
  if (isAborting)
    status = abortCode;
  leave(kNextExit != nullptr ? kNextExit : next<Leave>("exit"), status);
}

FORERUN_EXPORT void quick_exit(int status) noexcept {
  endIfPreThread("quick_exit");
  leave(kNextQuickExit != nullptr ? kNextQuickExit : next<Leave>("quick_exit"), status);
}

FORERUN_EXPORT void _exit(int status) {
  endIfPreThread("_exit");
  leave(kNextUnderscoreExit != nullptr ? kNextUnderscoreExit : next<Leave>("_exit"), status);
}

FORERUN_EXPORT void _Exit(int status) noexcept { _exit(status); }

/// By these names, but with words in place of communicators.
FORERUN_EXPORT int forerunAbort(Word comm, int code) __asm__("MPI_Abort");
FORERUN_EXPORT int forerunBarrier(Word comm) __asm__("MPI_Barrier");

int forerunAbort(Word comm, int code) {
  static constinit std::atomic<void *> next{nullptr};
  endIfPreThread("MPI_Abort");
  if (isMpiKnown()) {
    abortCode = code;
    isAborting = true;
  }
  return callNext(next, "MPI_Abort", comm, code);
}

int forerunBarrier(Word comm) {
  static constinit std::atomic<void *> next{nullptr};
  const int code = callNext(next, "MPI_Barrier", comm);
  forerun::guarded([caller = __builtin_return_address(0)] { outdateShared(caller); });
  return code;
}

FORERUN_EXPORT int MPI_Query_thread(int *provided) {
  static constinit std::atomic<void *> next{nullptr};
  const int code = callNext(next, "MPI_Query_thread", provided);
  if (code == MPI_SUCCESS && isMpiKnown())
    forerun::guarded([&] { *provided = forerun::theProcess().toldLevel(*provided); });
  return code;
}

FORERUN_EXPORT int MPI_Finalize() { return finalize("MPI_Finalize"); }

/// Reached from a profiler's MPI_Finalize, and by programs that use this name.
FORERUN_EXPORT int PMPI_Finalize() { return finalize("PMPI_Finalize"); }
}
