// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <pthread.h>
#include <string_view>

/// \file
/// The thread that enters twins of libraries, and can leave them whatever happens inside.
///
/// Invariants
///  - Inside a twin it ends at any instruction without harm to the program: by a fault or abort of
///    the twin, or because another thread asks (the twin may loop forever). It jumps out and never
///    enters again; nobody else waits for what the twin held.
///  - Outside, where the twin has called back or not been called, its faults are the program's, and
///    a thread that asks it to end waits until it comes back.
///  - It takes no signal meant for the program.
/// Threads: `start` and `stop`: any other; the rest: the thread itself.

namespace forerun {

class TwinThread {
public:
  /// \p work is what the thread does; it returns when the thread is to end.
  explicit TwinThread(std::function<void()> work) : work_(std::move(work)) {}
  ~TwinThread() = default; ///< not while the thread runs
  TwinThread(const TwinThread &) = delete;
  TwinThread &operator=(const TwinThread &) = delete;

  bool start(); ///< false: no thread could be created
  /// Takes the thread out of the twin if it is inside, and joins it.
  void stop();

  /// Executes \p act inside a twin. False: the twin ended early, now or before. No object with a
  /// destructor may be made between here and the twin, except after an Outside.
  template <typename Act> bool inside(const Act &act) {
    return enter([](const void *what) { (*static_cast<const Act *>(what))(); }, &act);
  }
  const char *why() const { return why_; } ///< why `inside` failed

  /// While one of these lives, what the twin calls back runs outside: the first one made there
  /// counts. On other threads it does nothing.
  class Outside {
  public:
    Outside();
    ~Outside();
    Outside(const Outside &) = delete;
    Outside &operator=(const Outside &) = delete;

  private:
    TwinThread *const self_;
  };

private:
  static constexpr std::size_t kHandlerBytes = std::size_t{64} << 10;

  static void *main(void *self);
  static bool onSignal(int signal, const siginfo_t &info, void *context);
  void run();
  bool enter(void (*act)(const void *), const void *what);
  [[noreturn]] void leave(const char *why);

  const std::function<void()> work_;
  std::unique_ptr<std::array<std::byte, kHandlerBytes>> handlerStack_;
  pthread_t thread_{};
  bool joinable_ = false; ///< the starting thread stops it
  std::atomic<bool> stopping_{false};

  // Touched only by the thread and its signal handlers.
  sigjmp_buf base_{};
  const char *volatile why_ = nullptr; ///< null: it may enter
  volatile std::sig_atomic_t inside_ = 0;
  volatile std::sig_atomic_t endPending_ = 0;
};

} // namespace forerun
