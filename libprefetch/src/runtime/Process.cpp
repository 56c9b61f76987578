// SPDX-License-Identifier: Apache-2.0
#include "runtime/Process.h"

#include "courier/Courier.h"
#include "report/Check.h"
#include "report/Report.h"
#include "thread/PreThread.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>

namespace forerun {
namespace {

/// Records; a full stream holds its producer.
constexpr std::size_t kStreamRecords = 4096;

/// What the pre-execution thread may still do, when the program is done, to come to its own end.
constexpr std::chrono::seconds kCheckedEnd{10};

// Initial-exec: looked at with each call of the main thread, at the price of an address.
__attribute__((tls_model("initial-exec"))) constinit thread_local OpenedFile lastOpened;

int finalizeAtDelete(MPI_Comm, int, void *runtime, void *) {
  static_cast<Runtime *>(runtime)->finalize();
  return MPI_SUCCESS;
}

struct Program {
  int (*main)(int argc, char **argv);
  Beginning *beginning;
};

void runProgram(void *argument) {
  const auto &[main, beginning] = *static_cast<const Program *>(argument);
  main(beginning->argc(), beginning->argv());
}

} // namespace

Runtime &Runtime::get() {
  static Runtime &runtime = *new Runtime;
  return runtime;
}

Runtime::Runtime()
    : options_(Options::fromEnvironment()), preStream_(kStreamRecords, courierWake_),
      handStream_(kStreamRecords, courierWake_),
      check_(options_.check.empty() ? nullptr : std::make_unique<Check>(options_.check)) {}

const Options &Runtime::options() const { return options_; }

bool Runtime::enabled() const { return options_.enabled && !disabled_.load(); }

void Runtime::disable(const char *why) {
  if (disabled_.exchange(true))
    return;
  whyOff_.store(why);
  debug(Message() << "off: " << why);
}

const char *Runtime::whyOff() const { return options_.enabled ? whyOff_.load() : "FORERUN is 0"; }

void Runtime::debug(const Message &message) const {
  if (options_.debug)
    message.write();
}

void Runtime::noteDoor(bool registered) { door_.store(registered); }

bool Runtime::mayLaunch() const { return enabled() && door_.load(); }

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first of all: a second way to the end,
/// where our own MPI_Finalize is behind a profiler that calls PMPI_Finalize.
void Runtime::mpiIsUp() {
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

void Runtime::mpiIsUpEverywhere() {
  mpiIsUp();
  everywhere_.store(true);
}

const char *Runtime::whyNoLaunch() const {
  if (!door_.load())
    return "no patched MPI-IO is loaded";
  int up = 0;
  PMPI_Initialized(&up);
  if (!up)
    return "it was asked for before MPI_Init";
  if (!early_.isComplete())
    return "too much of the program was over before its start";
  return forwarding_.whyShut();
}

void Runtime::begin(int argc, char **argv) {
  if (mayLaunch())
    beginning_ = std::make_unique<Beginning>(argc, argv);
}

void Runtime::openExchange() {
  mpiIsUp();
  exchange_.open();
  groups_.keep(MPI_COMM_WORLD);
}

void Runtime::start(int (*pre)(int argc, char **argv), int sites) {
  if (!enabled())
    return;
  if (!beginning_)
    beginning_ = std::make_unique<Beginning>();
  const Program program{pre, beginning_.get()};
  launch(runProgram, &program, sizeof program, sites, beginning_->takeRandom());
  if (progress() != nullptr)
    return;
  // There will be no other start: nothing is kept for one.
  forwarding_.shut("it could not be started");
  forwarding_.giveBack();
  beginning_.reset();
}

void Runtime::launch(void (*pre)(void *), const void *data, std::size_t bytes, int sites,
                     std::unique_ptr<RandomStreams> random) {
  if (!enabled())
    return;
  if (const char *why = whyNoLaunch()) {
    whyOff_.store(why);
    debug(Message() << "no pre-execution: " << why);
    return;
  }
  if (launched_.exchange(true)) {
    debug(Message() << "a second launch is ignored");
    return;
  }
  mpiIsUp();
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  mayCallMpi_ = level == MPI_THREAD_MULTIPLE;
  if (!mayCallMpi_)
    debug(Message() << "MPI does not give MPI_THREAD_MULTIPLE: all communication is forwarded");
  courier().start();
  auto *progress = new Progress(sites);
  early_.moveTo(*progress);
  progress_.store(progress);
  forwarding_.begin(sites);
  auto *thread = new PreThread({pre, data, bytes, std::move(random)}, options_, *progress,
                               preStream_, forwarding_);
  preThread_.store(thread);
  // A program that leaves without MPI_Finalize: its data goes, so must who looks at it.
  std::atexit([] { get().endPreThread("exit"); });
  debug(Message() << (thread->start() ? "the pre-execution thread has started"
                                      : "no pre-execution: no thread is to be had"));
}

void Runtime::finalize() {
  std::call_once(finalized_, [this] {
    PreThread *const thread = preThread_.load();
    if (thread != nullptr && check_)
      thread->awaitEnd(kCheckedEnd);
    if (thread != nullptr)
      thread->stop();
    if (Courier *courier = courier_.load())
      courier->stop();
    if (check_)
      endOfCheck();
    forwarding_.shut("MPI_Finalize");
    forwarding_.giveBack();
    forwardedTypes_.freeAll();
    exchange_.finish();
    // Collective: where only those came that opened a file it would wait for the others for ever.
    if (everywhere_.load())
      reportAtFinalize(MPI_COMM_WORLD);
  });
}

void Runtime::endOfCheck() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string whyNot = std::string("not started: ") + whyOff();
  if (*whyOff() == '\0')
    whyNot += "the program did not come to its start";
  check_->write(rank, preThread_.load(), progress(), forwarding_, whyNot.c_str());
}

void Runtime::endPreThread(const char *why) {
  if (PreThread *thread = preThread_.load())
    thread->askToEnd(why);
}

void Runtime::noteOpened(const OpenedFile &opened) {
  lastOpened = opened;
  lastOpened.path = nullptr;
  if ((progress() != nullptr || beginning_) && opened.path != nullptr)
    lastOpened.path = paths_.keep(opened.path);
}

OpenedFile Runtime::takeOpened() { return std::exchange(lastOpened, {}); }

void Runtime::pass(int site, bool successful) {
  Progress *const far = progress();
  if (far == nullptr && !beginning_)
    return;
  OpenedFile opened = takeOpened();
  if (!successful)
    opened.file = MPI_FILE_NULL;
  if (far != nullptr)
    far->pass(site, opened);
  else
    early_.add(site, opened);
}

Cache *Runtime::cache(const Options &effective) {
  if (!enabled() || !effective.enabled || effective.cache == CacheMode::Off)
    return nullptr;
  mpiIsUp();
  const std::lock_guard<std::mutex> lock(making_);
  if (cache_.load() == nullptr && !cacheFailed_) {
    forerun_rc rc = FORERUN_OK;
    cache_.store(Cache::create(effective.cacheConfig(), rc).release());
    cacheFailed_ = cache_.load() == nullptr;
    if (cacheFailed_)
      (Message() << "no cache of " << kinds::Size::print(effective.cacheBytes) << " in pages of "
                 << kinds::Size::print(effective.pageBytes) << ": " << forerun_rc_text(rc))
          .write();
  }
  return cache_.load();
}

Cache *Runtime::cacheIfMade() { return cache_.load(); }

HandleTable &Runtime::handles() { return handles_; }
Stream &Runtime::preStream() { return preStream_; }

/// Who asks for it is about to push: the pre-execution thread's records have a courier since the
/// launch, those made by hand have one from the first on.
Stream &Runtime::handStream() {
  courier().start();
  return handStream_;
}

EventCount &Runtime::courierWake() { return courierWake_; }
Progress *Runtime::progress() { return progress_.load(std::memory_order_acquire); }

Courier &Runtime::courier() {
  if (Courier *made = courier_.load())
    return *made;
  const std::lock_guard<std::mutex> lock(making_);
  if (courier_.load() == nullptr) {
    auto *courier = new Courier({.wake = courierWake_,
                                 .pre = preStream_,
                                 .hand = handStream_,
                                 .handles = handles_,
                                 .cache = [this] { return cacheIfMade(); },
                                 .progress = [this] { return progress(); },
                                 .say = [this](const char *what) { debug(Message() << what); },
                                 .giveUp = [this](const char *why) { endPreThread(why); }});
    courier->setLeash(options_.leashCalls, options_.leashBytes);
    courier_.store(courier);
  }
  return *courier_.load();
}

bool Runtime::onPreThread() const { return PreThread::self() != nullptr; }

CallId Runtime::currentCall() const {
  const PreThread *self = PreThread::self();
  return self != nullptr ? self->current() : CallId{};
}

Runtime::Unstoppable::Unstoppable() {
  if (PreThread *self = PreThread::self())
    self->enterUnstoppable();
}

Runtime::Unstoppable::~Unstoppable() {
  if (PreThread *self = PreThread::self())
    self->leaveUnstoppable();
}

} // namespace forerun
