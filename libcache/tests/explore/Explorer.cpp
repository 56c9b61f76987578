// SPDX-License-Identifier: Apache-2.0
#include "Explorer.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <optional>
#include <random>
#include <sys/syscall.h>
#include <ucontext.h>
#include <utility>

namespace forerun::explore {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10;
constexpr std::size_t kSectorBytes = 4096;
/// Turns without any progress, after which there will never be any.
constexpr unsigned kMaxTimeouts = 1000;
/// Orders that are run first, to learn where turns matter.
constexpr std::size_t kFirstAtRandom = 500;
constexpr std::uint64_t kClockPlace = ~std::uint64_t{0};

std::uint64_t mix(std::uint64_t one, std::uint64_t other) {
  std::uint64_t x = one * 0x9e3779b97f4a7c15U + (other ^ 0x632be59bd9b4e019U);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

struct Process {
  enum class State { Ready, Yielded, Asleep, Done, Dead };

  ucontext_t context{};
  State state = State::Ready;
  const volatile void *sleepsOn = nullptr;
  std::vector<std::uint64_t> looked; ///< what it looked at since others last had their turn
  std::uint64_t seen = 0;            ///< a hash of it

  bool isOver() const { return state == State::Done || state == State::Dead; }
};

/// The processes that use a word, one bit each.
struct Users {
  unsigned all = 0, writers = 0;

  bool conflict() const { return writers != 0 && (all & (all - 1)) != 0; }
};

/// One order of turns, from the start to the end.
class Order {
public:
  /// The choices in order, each with the number of alternatives.
  struct Choice {
    unsigned taken, options;
  };
  struct Search {
    std::vector<Choice> path;
    std::set<std::uint64_t> conflicts; ///< words before which others may have their turn
    std::unordered_set<std::uint64_t> states;
    std::vector<std::unique_ptr<char[]>> stacks;
    std::mt19937 random;
    bool atRandom = true;
  };

  Order(World &world, const Bounds &bounds, Search &search)
      : world_(world), bounds_(bounds), search_(search), processes_(world.processes()) {
    while (search.stacks.size() < processes_.size())
      search.stacks.push_back(std::make_unique_for_overwrite<char[]>(kStackBytes));
  }

  void run();
  /// True if new conflicts between words were found.
  bool learnt();

  // ---- from the process that has its turn ----
  bool isInside() const { return running_ != nullptr; }
  void step(const volatile void *address, bool changes);
  void used(const volatile void *address, std::uint64_t value, bool changed);
  void giveTurn(Process::State state, const volatile void *address = nullptr);
  void wake(const volatile void *address);
  std::uint64_t tick();

private:
  struct Option {
    unsigned process;
    bool dies;
  };

  void prepare(unsigned process);
  void giveTurnTo(unsigned process);
  void offerTurn();
  static void enter(unsigned process);
  std::uint64_t place(const volatile void *address) const {
    return static_cast<std::uint64_t>(static_cast<const volatile std::byte *>(address) -
                                      world_.memory());
  }
  void stepAt(std::uint64_t where, bool changes);
  void note(std::uint64_t place, std::uint64_t value, bool changed);
  bool someoneCanGoOn();
  std::vector<Option> options() const;
  Option choose();
  std::uint64_t key() const;
  void die(unsigned process);

  World &world_;
  const Bounds bounds_;
  Search &search_;
  std::vector<Process> processes_;
  Process *running_ = nullptr;
  std::optional<Option> next_; ///< that has been chosen
  unsigned last_ = 0;
  ucontext_t scheduler_{};
  std::size_t depth_ = 0;
  bool isKnown_ = false; ///< the rest of it has been explored before
  unsigned deaths_ = 0, preemptions_ = 0, timeouts_ = 0;
  std::uint64_t clock_ = std::uint64_t{1} << 62; ///< later than all that was before
  std::vector<std::pair<std::uint64_t, Users>> users_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> values_;
  std::uint64_t memory_ = 0; ///< a hash of what was written
};

Order *theOrder = nullptr;

template <typename T> T &in(std::vector<std::pair<std::uint64_t, T>> &all, std::uint64_t place) {
  const auto found =
      std::ranges::lower_bound(all, place, {}, [](auto &each) { return each.first; });
  if (found != all.end() && found->first == place)
    return found->second;
  return all.emplace(found, place, T{})->second;
}

void Order::enter(unsigned process) {
  theOrder->world_.run(process);
  theOrder->giveTurn(Process::State::Done);
}

void Order::prepare(unsigned process) {
  Process &each = processes_[process];
  getcontext(&each.context);
  each.context.uc_stack.ss_sp = search_.stacks[process].get();
  each.context.uc_stack.ss_size = kStackBytes;
  makecontext(&each.context, reinterpret_cast<void (*)()>(&Order::enter), 1, process);
}

void Order::giveTurnTo(unsigned process) {
  if (process != last_ && processes_[last_].state == Process::State::Ready)
    ++preemptions_;
  last_ = process;
  running_ = &processes_[process];
  swapcontext(&scheduler_, &running_->context);
  running_ = nullptr;
}

/// Without a change of stacks if the turn stays where it is.
void Order::offerTurn() {
  running_->seen = mix(running_->seen, 1); // it is at another place now
  timeouts_ = 0;
  next_ = choose();
  if (next_->dies || &processes_[next_->process] != running_)
    swapcontext(&running_->context, &scheduler_);
  else
    next_.reset();
}

void Order::run() {
  theOrder = this;
  for (unsigned process = 0; process < processes_.size(); ++process)
    prepare(process);
  while (next_ || someoneCanGoOn()) {
    std::optional<Option> next = std::exchange(next_, std::nullopt);
    if (!next)
      next = choose();
    if (next->dies)
      die(next->process);
    else
      giveTurnTo(next->process);
  }
  world_.end();
  theOrder = nullptr;
}

/// A waiting process continues when others have changed what it has looked at, or cannot continue.
bool Order::someoneCanGoOn() {
  const auto make = [&](Process::State from) {
    bool any = false;
    for (Process &each : processes_)
      if (each.state == from) {
        each.state = Process::State::Ready;
        any = true;
      }
    return any;
  };
  for (const Process &each : processes_)
    if (each.state == Process::State::Ready)
      return true;
  if (make(Process::State::Yielded))
    return true;
  if (++timeouts_ > kMaxTimeouts) {
    std::fprintf(stderr, "explore: nobody gets on any more\n");
    std::abort();
  }
  return make(Process::State::Asleep);
}

/// The first choice is that the process with the last turn continues.
std::vector<Order::Option> Order::options() const {
  std::vector<Option> options;
  const bool goesOn = processes_[last_].state == Process::State::Ready;
  if (goesOn)
    options.push_back({last_, false});
  const bool mayTake = !goesOn || preemptions_ < bounds_.preemptions;
  for (unsigned process = 0; process < processes_.size(); ++process)
    if (processes_[process].state == Process::State::Ready && process != last_ && mayTake)
      options.push_back({process, false});
  for (unsigned process = 0; process < processes_.size(); ++process)
    if (!processes_[process].isOver() && deaths_ < bounds_.deaths)
      options.push_back({process, true});
  return options;
}

Order::Option Order::choose() {
  const std::vector<Option> all = options();
  if (search_.atRandom)
    return all[search_.random() % all.size()];
  if (all.size() < 2 || isKnown_)
    return all.front();
  if (depth_ < search_.path.size())
    return all[search_.path[depth_++].taken];
  isKnown_ = !search_.states.insert(key()).second;
  if (!isKnown_) {
    search_.path.push_back({0, static_cast<unsigned>(all.size())});
    ++depth_;
  }
  return all.front();
}

std::uint64_t Order::key() const {
  std::uint64_t key = mix(memory_, deaths_);
  if (bounds_.preemptions != ~0U)
    key = mix(mix(key, preemptions_), last_);
  for (const Process &each : processes_)
    key = mix(mix(key, each.seen), static_cast<std::uint64_t>(each.state));
  return key;
}

void Order::die(unsigned process) {
  processes_[process].state = Process::State::Dead;
  world_.die(process);
  ++deaths_;
}

void Order::note(std::uint64_t place, std::uint64_t value, bool changed) {
  if (!changed) {
    running_->looked.push_back(place);
    running_->seen = mix(mix(running_->seen, place), value);
    return;
  }
  for (Process &each : processes_)
    if (each.state == Process::State::Yielded && std::ranges::count(each.looked, place) != 0)
      each.state = Process::State::Ready;
  std::uint64_t &known = in(values_, place);
  memory_ ^= known;
  known = mix(place, value);
  memory_ ^= known;
}

void Order::step(const volatile void *address, bool changes) { stepAt(place(address), changes); }

void Order::stepAt(std::uint64_t where, bool changes) {
  Users &users = in(users_, where);
  const unsigned self = 1U << (running_ - processes_.data());
  users.all |= self;
  users.writers |= changes ? self : 0;
  if (search_.conflicts.contains(where))
    offerTurn();
}

void Order::used(const volatile void *address, std::uint64_t value, bool changed) {
  note(place(address), value, changed);
}

void Order::giveTurn(Process::State state, const volatile void *address) {
  Process &self = *running_;
  self.seen = mix(self.seen, 1); // it is at another place now
  self.state = state;
  self.sleepsOn = address;
  swapcontext(&self.context, &scheduler_);
  if (state == Process::State::Yielded)
    self.looked.clear();
}

void Order::wake(const volatile void *address) {
  for (Process &each : processes_)
    if (each.state == Process::State::Asleep && each.sleepsOn == address)
      each.state = Process::State::Ready;
}

std::uint64_t Order::tick() {
  if (running_ != nullptr)
    stepAt(kClockPlace, true);
  const std::uint64_t now = clock_ += bounds_.tickNs;
  if (running_ != nullptr) {
    note(kClockPlace, now, false);
    note(kClockPlace, now, true);
  }
  return now;
}

bool Order::learnt() {
  const std::size_t before = search_.conflicts.size();
  for (const auto &[place, users] : users_)
    if (users.conflict())
      search_.conflicts.insert(place);
  return search_.conflicts.size() != before;
}

/// Advances to the next one to be explored; false: there is none.
bool goOn(std::vector<Order::Choice> &path) {
  while (!path.empty() && path.back().taken + 1 >= path.back().options)
    path.pop_back();
  if (path.empty())
    return false;
  ++path.back().taken;
  return true;
}

bool isInside() { return theOrder != nullptr && theOrder->isInside(); }

} // namespace

void step(const volatile void *address, bool changes) {
  if (isInside())
    theOrder->step(address, changes);
}

void used(const volatile void *address, std::uint64_t value, bool changed) {
  if (isInside())
    theOrder->used(address, value, changed);
}

void yield() {
  if (isInside())
    theOrder->giveTurn(Process::State::Yielded);
}

void copy(void *to, const void *from, std::size_t bytes, const volatile void *explored,
          bool changes) {
  auto *target = static_cast<char *>(to);
  const auto *source = static_cast<const char *>(from);
  const auto *place = static_cast<const volatile char *>(explored);
  while (bytes > 0) {
    const std::size_t inSector = reinterpret_cast<std::uintptr_t>(place) % kSectorBytes;
    const std::size_t part = std::min(bytes, kSectorBytes - inSector);
    const volatile char *const sector = place - inSector;
    const std::size_t half = part / 2;
    step(sector, changes);
    std::memcpy(target, source, half);
    used(sector, 1, changes); // that it was begun
    step(sector, changes);
    std::memcpy(target + half, source + half, part - half);
    std::uint64_t hash = part;
    for (std::size_t at = 0; at < part; at += part / 2 + 1)
      hash = mix(hash, static_cast<unsigned char>(target[at]));
    used(sector, hash, changes);
    target += part;
    source += part;
    place += part;
    bytes -= part;
  }
}

Explored explore(const std::function<std::unique_ptr<World>()> &make, const Bounds &bounds,
                 const std::function<bool()> &failed) {
  Explored explored;
  Order::Search search;
  for (bool more = true; more && !failed();) {
    const std::unique_ptr<World> world = make();
    Order order(*world, bounds, search);
    order.run();
    ++explored.orders;
    const bool learnt = order.learnt();
    if (search.atRandom) {
      search.atRandom = learnt || explored.orders < kFirstAtRandom;
    } else if (learnt) { // all over again, with more places for turns
      search.path.clear();
      search.states.clear();
    } else {
      more = goOn(search.path);
    }
  }
  explored.states = search.states.size();
  return explored;
}

} // namespace forerun::explore

// ---- what the explored code requests from the system ----

using forerun::explore::theOrder;

extern "C" int sched_yield() noexcept {
  forerun::explore::yield();
  return 0;
}

extern "C" int clock_gettime(clockid_t clock, timespec *time) noexcept {
  if (theOrder == nullptr) {
    long result = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_clock_gettime), "D"(clock), "S"(time)
                     : "rcx", "r11", "memory");
    return static_cast<int>(result);
  }
  const std::uint64_t now = theOrder->tick();
  time->tv_sec = static_cast<time_t>(now / 1'000'000'000);
  time->tv_nsec = static_cast<long>(now % 1'000'000'000);
  return 0;
}

extern "C" long syscall(long number, ...) noexcept {
  va_list arguments;
  va_start(arguments, number);
  long all[6];
  for (long &each : all)
    each = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_futex && theOrder != nullptr && theOrder->isInside()) {
    auto *const word = reinterpret_cast<const volatile std::uint32_t *>(all[0]); // NOLINT: is one
    if (all[1] == FUTEX_WAKE) {
      theOrder->wake(word);
    } else if (*word == static_cast<std::uint32_t>(all[2])) {
      theOrder->giveTurn(forerun::explore::Process::State::Asleep, word);
    }
    return 0;
  }
  long result = 0;
  register long fourth __asm__("r10") = all[3];
  register long fifth __asm__("r8") = all[4];
  register long sixth __asm__("r9") = all[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(all[0]), "S"(all[1]), "d"(all[2]), "r"(fourth), "r"(fifth),
                     "r"(sixth)
                   : "rcx", "r11", "memory");
  if (result >= 0)
    return result;
  errno = static_cast<int>(-result);
  return -1;
}
