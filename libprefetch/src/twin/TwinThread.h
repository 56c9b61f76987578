// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_TWINTHREAD_H
#define FORERUN_TWINTHREAD_H

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
/// The thread that enters twins of libraries, and leaves them whatever happens there.
///
/// Invariants
///  - Inside of a twin it ends at any instruction without harm to the program: by a fault or abort of
///    the twin's, or because another thread asks (the twin may loop for ever). It jumps out and never
///    enters again; what the twin held, nobody else waits for.
///  - Outside, where the twin has called back or not been called, its faults are the program's, and
///    whoever asks it to end waits until it comes back.
///  - It takes no signal meant for the program.
/// Threads: `start` and `stop` any other; the rest the thread itself.

namespace forerun {

class TwinThread {
public:
  /// \p work is what the thread does; it returns when the thread shall end.
  explicit TwinThread(std::function<void()> work) : work_(std::move(work)) {}
  ~TwinThread() = default; ///< not while it runs
  TwinThread(const TwinThread &) = delete;
  TwinThread &operator=(const TwinThread &) = delete;

  bool start(); ///< false: no thread could be made
  /// Takes it out of the twin if it is inside, and joins it.
  void stop();

  /// Executes \p act inside of a twin. False: that ended before its time, now or earlier. Nothing that
  /// has to be destroyed may be made between here and the twin, but behind an Outside.
  template <typename Act> bool inside(const Act &act) {
    return enter([](const void *what) { (*static_cast<const Act *>(what))(); }, &act);
  }
  const char *why() const { return why_; } ///< `inside` failed

  /// What the twin calls back is outside while one of these lives: the first that is made there. On
  /// other threads it does nothing.
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
  static bool onSignal(int signal, const siginfo_t &info);
  void run();
  bool enter(void (*act)(const void *), const void *what);
  [[noreturn]] void leave(const char *why);

  const std::function<void()> work_;
  std::unique_ptr<std::array<std::byte, kHandlerBytes>> handlerStack_;
  pthread_t thread_{};
  bool joinable_ = false; ///< who starts it stops it
  std::atomic<bool> stopping_{false};

  // Touched by the thread and its signal handlers only.
  sigjmp_buf base_{};
  const char *volatile why_ = nullptr; ///< null: it may enter
  volatile std::sig_atomic_t inside_ = 0;
  volatile std::sig_atomic_t endPending_ = 0;
};

} // namespace forerun

#endif
