// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

/// \file
/// A mutex that says what it guards, so that Clang can check it (`-Wthread-safety`, in the lint
/// tests): `FORERUN_GUARDED_BY(mutex_)` after a member, `FORERUN_REQUIRES(mutex_)` after a function
/// that is called with it held. For other compilers the annotations are empty.
/// Source: Clang's "Thread Safety Analysis"; leveldb's port/thread_annotations.h.

#if defined(__clang__)
#define FORERUN_ANNOTATION(attribute) __attribute__((attribute))
#else
#define FORERUN_ANNOTATION(attribute)
#endif

#define FORERUN_GUARDED_BY(mutex) FORERUN_ANNOTATION(guarded_by(mutex))
#define FORERUN_REQUIRES(...) FORERUN_ANNOTATION(requires_capability(__VA_ARGS__))
#define FORERUN_EXCLUDES(...) FORERUN_ANNOTATION(locks_excluded(__VA_ARGS__))
#define FORERUN_RETURNS_MUTEX(mutex) FORERUN_ANNOTATION(lock_returned(mutex))
/// For the few functions whose locking the analysis cannot follow; the reason is stated there.
#define FORERUN_NO_THREAD_SAFETY_ANALYSIS FORERUN_ANNOTATION(no_thread_safety_analysis)

namespace forerun {

class FORERUN_ANNOTATION(capability("mutex")) Mutex {
public:
  void lock() FORERUN_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void unlock() FORERUN_ANNOTATION(release_capability()) { mutex_.unlock(); }

private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// Taking a mutex that every holder releases faster than a thread can fall asleep: a few attempts
/// first are worthwhile.
enum SpinFirst { kSpinFirst };

/// Holds a mutex while it lives; may release and retake it in between.
class FORERUN_ANNOTATION(scoped_lockable) MutexLock {
public:
  explicit MutexLock(Mutex &mutex) FORERUN_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  MutexLock(Mutex &mutex, SpinFirst /*how*/) FORERUN_ANNOTATION(acquire_capability(mutex))
      : lock_(mutex.mutex_, std::defer_lock) {
    constexpr int kTries = 64;
    for (int tries = 0; tries < kTries; ++tries) {
      if (lock_.try_lock())
        return;
      relax();
    }
    lock_.lock();
  }
  ~MutexLock() FORERUN_ANNOTATION(release_capability()) {}
  MutexLock(const MutexLock &) = delete;
  MutexLock &operator=(const MutexLock &) = delete;

  void lock() FORERUN_ANNOTATION(acquire_capability()) { lock_.lock(); }
  void unlock() FORERUN_ANNOTATION(release_capability()) { lock_.unlock(); }

  /// Waits without the mutex, as condition variables do, and returns with it; may wake spuriously.
  void wait(std::condition_variable &condition) { condition.wait(lock_); }
  /// The same, but at most for \p time.
  void wait(std::condition_variable &condition, std::chrono::milliseconds time) {
    condition.wait_for(lock_, time);
  }

private:
  /// Tells the processor that the thread is in a short wait.
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }

  std::unique_lock<std::mutex> lock_;
};

} // namespace forerun
