// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_GUARDED_H
#define FORERUN_GUARDED_H

#include <atomic>
#include <exception>
#include <type_traits>

/// \file
/// The way from the program, which is C, and from MPI-IO, which has a lock, into Forerun. What is
/// thrown in there, because there is no memory, goes no further: the program runs on without what
/// it was for, and without the pre-execution thread, which may count on it.

namespace forerun {

/// On the pre-execution thread this ends it. Any thread.
void goOnWithout(const std::exception &failure);

/// In a child of fork there are none of Forerun's threads, and a lock may be held that one of them
/// held in the parent: everything is as without Forerun from there on.
inline std::atomic<bool> inForkedChild{false};

template <typename Action> void guarded(const Action &action) {
  if (inForkedChild.load(std::memory_order_relaxed))
    return;
  try {
    action();
  } catch (const std::exception &failure) {
    goOnWithout(failure);
  }
}

/// The function itself, guarded; returns 0 of its kind if it fails.
template <auto Function> struct Guarded;

template <typename Result, typename... Arguments, Result (*Function)(Arguments...)>
struct Guarded<Function> {
  static Result call(Arguments... arguments) {
    if constexpr (std::is_void_v<Result>) {
      guarded([&] { Function(arguments...); });
    } else {
      Result result{};
      guarded([&] { result = Function(arguments...); });
      return result;
    }
  }
};

} // namespace forerun

#endif
