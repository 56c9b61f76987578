// SPDX-License-Identifier: Apache-2.0
#include "runtime/Process.h"

#include "base/Cores.h"
#include "forerun/Addresses.h"
#include "measure/SiteReads.h"
#include "mpi/MeetMpi.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace forerun {
namespace {

/// How long the pre-execution thread may run on, after the program is done, to end by itself.
constexpr std::chrono::seconds kOwnEnd{10};

/// Where addresses are limited: how many must be left to the program for a second thread.
constexpr std::uint64_t kLeastAddresses = std::uint64_t{1} << 30;

// initial-exec: each call of the main thread reads it, which then costs one address.
__attribute__((tls_model("initial-exec"))) constinit thread_local std::optional<OpenedFile>
    lastOpened;

int finalizeAtDelete(MPI_Comm, int, void *process, void *) {
  static_cast<Process *>(process)->finalize();
  return MPI_SUCCESS;
}

struct Program {
  int (*main)(int argc, char **argv);
  StartState *beginning;
};

void runProgram(void *argument) {
  const auto &[main, beginning] = *static_cast<const Program *>(argument);
  main(beginning->argc(), beginning->argv());
}

} // namespace

Process::Process(Options options)
    : options_(std::move(options)),
      host_(options_, {.progress = [this] { return progress(); },
                       .say = [this](const char *what) { debug(Message() << what); },
                       .giveUp = [this](const char *why) { endPreThread(why); }}) {}

bool Process::enabled() const { return options_.enabled && forerun_meet_mpi() != kForerunOtherMpi; }

const char *Process::whyOff() const {
  if (!options_.enabled)
    return "FORERUN is 0";
  return enabled() ? whyOff_.load()
                   : "the program's MPI is not of the kind that Forerun was built for";
}

void Process::debug(const Message &message) const {
  if (options_.debug)
    message.write();
}

bool Process::mayReport() const {
  return options_.report != "0" && forerun_meet_mpi() != kForerunOtherMpi;
}

void Process::timeReads() {
  host_.courier();
  timesReads_.store(true);
}

bool Process::mayLaunch() const { return enabled() && door_.load(); }

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first: a second way to the end, for a
/// profiler that calls PMPI_Finalize before our own MPI_Finalize is reached.
void Process::mpiIsUp() {
  std::call_once(mpiUp_, [this] {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Message::setRank(rank);
    int key = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalizeAtDelete, &key, nullptr);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, this);
    PMPI_Comm_free_keyval(&key);
  });
}

void Process::mpiIsUpEverywhere() {
  mpiIsUp();
  everywhere_.store(true);
}

int Process::toldLevel(int real) const { return std::min(real, toldLevel_.load()); }

const char *Process::whyNoLaunch() const {
  if (!door_.load())
    return "no patched MPI-IO is loaded";
  int up = 0;
  PMPI_Initialized(&up);
  if (!up)
    return "it was asked for before MPI_Init";
  if (!early_.isComplete())
    return "the program made too many calls before its start";
  return handing_.values.whyShut();
}

void Process::begin(int argc, char **argv) {
  if (mayLaunch())
    start_ = std::make_unique<StartState>(argc, argv);
}

void Process::openExchange() {
  if (forerun_meet_mpi() != kForerunOurMpi)
    return;
  mpiIsUp();
  handing_.exchange.open();
}

void Process::start(int (*pre)(int argc, char **argv), int sites) {
  if (!enabled())
    return sayOff();
  if (!start_)
    start_ = std::make_unique<StartState>();
  const Program program{pre, start_.get()};
  launch({runProgram, &program, sizeof program, start_->takeRandom(), start_->memory()}, sites);
  if (progress() != nullptr)
    return;
  // There will be no other start: nothing is kept for one.
  handing_.values.shut("it could not be started");
  handing_.values.giveBack();
  start_.reset();
}

void Process::launch(PreThread::Launch launch, int sites) {
  if (!enabled())
    return sayOff();
  if (const char *why = whyNoLaunch()) {
    refuse(why);
    return;
  }
  if (launched_.exchange(true)) {
    debug(Message() << "a second launch is ignored");
    return;
  }
  mpiIsUp();
  handing_.groups.keep(MPI_COMM_WORLD);
  handing_.groups.keep(MPI_COMM_SELF);
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  const bool mayCallMpi = preCallsMpi() && level == MPI_THREAD_MULTIPLE;
  if (preCallsMpi() && !mayCallMpi)
    debug(Message() << "MPI does not give MPI_THREAD_MULTIPLE: all communication is forwarded");
  if (addressesLeft() < kLeastAddresses) {
    refuse("the address-space limit (RLIMIT_AS) leaves too little");
    return;
  }
  if (!host_.courier().start()) {
    refuse("no thread could be created");
    return;
  }
  auto progress = std::make_unique<Progress>(sites);
  early_.moveTo(*progress);
  handing_.values.begin(sites, !options_.check.empty());
  auto *thread = new PreThread(std::move(launch), options_,
                               {.progress = *progress,
                                .stream = host_.preStream(),
                                .trail = &host_.trail(),
                                .forwarding = handing_.values,
                                .types = handing_.types,
                                .exchange = handing_.exchange,
                                .groups = handing_.groups,
                                .distance = host_.distance(),
                                .mayCallMpi = mayCallMpi});
  progress_.store(progress.release());
  preThread_.store(thread);
  coresToSpare_ = areCoresToSpare();
  if (thread->start())
    debug(Message() << "the pre-execution thread has started");
  else
    refuse("no thread could be created");
}

/// Says why pre-execution is off: whoever has switched it off in one place may look for the reason
/// in another.
void Process::sayOff() const {
  if (!enabled())
    debug(Message() << "no pre-execution: " << whyOff());
}

/// A thread that waits most of its time has no head start, or it follows the program's opens.
void Process::sayWaits(const PreThread &thread) const {
  constexpr std::uint64_t kLeastNs = 100'000'000;
  constexpr std::uint64_t kNsPerMs = 1'000'000;
  const StallStats::Waits waits = thread.stalls().waits();
  if (!options_.debug || waits.allNs < kLeastNs || 2 * waits.allNs < thread.livedNs())
    return;
  const CallPlace place = CallPlace::of(waits.longest);
  if (place.call == "MPI_File_open") // no read is late for that
    return;
  Message message;
  message << "the pre-execution thread waited in " << waits.allNs / kNsPerMs << " of "
          << thread.livedNs() / kNsPerMs << " ms, longest ";
  if (place.line != 0)
    message << "for " << place.call << " (" << place.file << ":" << place.line << ")";
  else
    message << "at call site " << waits.longest;
  message.write();
}

void Process::sayNothingCame(const Courier &courier) const {
  if (enabled() && !launched_.load() && !start_ && *whyOff() == '\0' &&
      courier.counters().announced == 0)
    debug(Message()
          << "no pre-execution: the program has not been sliced, and has issued no prefetch");
}

void Process::refuse(const char *why) {
  whyOff_.store(why);
  handing_.values.shut(why);
  handing_.values.giveBack();
  debug(Message() << "no pre-execution: " << why);
}

void Process::atStop(std::function<void()> act) { stopActs_.push_back(std::move(act)); }

void Process::atFinalize(std::function<void(MPI_Comm)> act) {
  finalActs_.push_back(std::move(act));
}

Hdf5Prefetcher &Process::hdf5(const std::string &library) {
  std::call_once(hdf5Made_, [&] {
    hdf5_.store(new Hdf5Prefetcher({.handles = host_.handles(),
                                    .files = host_.courier().files(),
                                    .hand = host_.handStream(),
                                    .cache = [this] { return host_.cache(); }},
                                   library,
                                   [this](const std::string &what) { debug(Message() << what); }));
  });
  return *hdf5_.load();
}

/// False: it had to be left behind, and uses what it was given until the process ends.
bool Process::endPreThread() {
  PreThread *const thread = preThread_.load();
  if (thread == nullptr)
    return true;
  if (!stopActs_.empty())
    thread->awaitEnd(kOwnEnd);
  const bool isEnded = thread->stop();
  if (isEnded)
    sayWaits(*thread);
  else
    debug(Message() << "the pre-execution thread does not end: it is left behind");
  return isEnded;
}

void Process::finalize() {
  std::call_once(finalized_, [this] {
    if (Hdf5Prefetcher *hdf5 = hdf5_.load())
      hdf5->stop();
    const bool isEnded = endPreThread();
    if (Courier *courier = host_.courierIfMade()) {
      courier->stop();
      sayNothingCame(*courier);
    }
    for (const auto &act : stopActs_)
      attempt(act);
    handing_.values.shut("MPI_Finalize");
    if (isEnded) {
      handing_.values.giveBack();
      attempt([this] { handing_.types.freeAll(); });
    }
    attempt([this] { handing_.exchange.finish(); });
    // Collective: if only the ranks that opened a file came, it would wait for the others forever.
    if (everywhere_.load())
      for (const auto &act : finalActs_)
        attempt([&] { act(MPI_COMM_WORLD); });
  });
}

void Process::attempt(const std::function<void()> &act) {
  try {
    act();
  } catch (const std::exception &failure) {
    goOnWithout(failure.what());
  }
}

void Process::endPreThread(const char *why) {
  if (PreThread *thread = preThread_.load())
    thread->askToEnd(why);
}

void Process::goOnWithout(const char *what) {
  constexpr const char *kWhy = "there was no memory";
  if (PreThread *self = PreThread::predicting())
    self->end(kWhy);
  handing_.values.shut(kWhy);
  endPreThread(kWhy);
  if (!short_.exchange(true))
    debug(Message() << kWhy << " (" << what << "): the program goes on without what it was for");
}

void Process::noteOpened(const OpenedFile &opened) {
  OpenedFile &noted = lastOpened.emplace(opened);
  noted.path = nullptr;
  if ((progress() != nullptr || start_) && opened.path != nullptr)
    noted.path = paths_.keep(opened.path);
}

OpenedFile Process::takeOpened() {
  return std::exchange(lastOpened, std::nullopt).value_or(OpenedFile());
}

void Process::pass(int site, bool successful) {
  if (Courier *courier = host_.courierIfMade())
    courier->recording().notePassed(site);
  Progress *const far = progress();
  if (far == nullptr && !start_)
    return;
  OpenedFile opened = takeOpened();
  if (!successful)
    opened.file = MPI_FILE_NULL;
  if (far != nullptr)
    far->pass(site, opened);
  else
    early_.add(site, opened);
}

Progress *Process::progress() const { return progress_.load(std::memory_order_acquire); }

} // namespace forerun
