// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// What the memory of a pool consists of while all interleavings are explored: before each use of a
/// word, and in the middle of each copy, another process may have its turn (Explorer.h). One thread
/// uses all of it, so plain values suffice. Memory ordering on real processors is not explored,
/// only every order of turns, each of which sees what the previous ones have done.

namespace forerun {

namespace explore {

/// \p address is about to be used.
void step(const volatile void *address, bool changes);
/// It was used: it was found to be \p value, or was set to that.
void used(const volatile void *address, std::uint64_t value, bool changed);
/// Waits for another process: the others have their turn first.
void yield();
/// Copies into or out of memory that is explored.
void copy(void *to, const void *from, std::size_t bytes, const volatile void *explored,
          bool changes);

} // namespace explore

// The names are std::atomic's. NOLINTBEGIN(readability-identifier-naming)
template <typename T> class Shared {
public:
  Shared() = default;
  explicit(false) Shared(T value) : value_(value) {}
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;

  T load(std::memory_order = std::memory_order_seq_cst) const {
    explore::step(&value_, false);
    explore::used(&value_, number(), false);
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    change([&] { value_ = value; });
  }
  T operator=(T value) {
    store(value);
    return value;
  }
  T exchange(T value) {
    return change([&] { value_ = value; });
  }
  T fetch_add(T value) {
    return change([&] { value_ = static_cast<T>(value_ + value); });
  }
  T fetch_sub(T value) {
    return change([&] { value_ = static_cast<T>(value_ - value); });
  }
  T fetch_or(T value, std::memory_order = std::memory_order_seq_cst) {
    return change([&] { value_ = static_cast<T>(value_ | value); });
  }
  T fetch_and(T value) {
    return change([&] { value_ = static_cast<T>(value_ & value); });
  }
  bool compare_exchange_strong(T &expected, T value) {
    const T before = change([&] {
      if (value_ == expected)
        value_ = value;
    });
    const bool done = before == expected;
    expected = before;
    return done;
  }
  bool compare_exchange_weak(T &expected, T value) {
    return compare_exchange_strong(expected, value);
  }

private:
  std::uint64_t number() const { return static_cast<std::uint64_t>(value_); }
  /// What was there before counts as seen.
  template <typename Make> T change(const Make &make) {
    explore::step(&value_, true);
    const T before = value_;
    explore::used(&value_, number(), false);
    make();
    if (value_ != before)
      explore::used(&value_, number(), true);
    return before;
  }

  T value_;
};
// NOLINTEND(readability-identifier-naming)

inline bool copyOut(void *to, const void *from, std::size_t bytes) {
  explore::copy(to, from, bytes, from, false);
  return true;
}

} // namespace forerun
