// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <type_traits>

/// \file
/// The way into Forerun from the program, which is C, and from MPI-IO, which has a lock. An
/// exception for lack of memory stops here: the program runs on without what the call was for, and
/// without the pre-execution thread, which may depend on it.

namespace forerun {

/// On the pre-execution thread this ends the thread. Any thread.
void goOnWithout(const std::exception &failure);

/// A child of fork has none of Forerun's threads, and a lock may be held that one of them held in
/// the parent: from then on everything is as without Forerun.
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

/// The function itself, guarded; returns a zero value if it fails.
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
