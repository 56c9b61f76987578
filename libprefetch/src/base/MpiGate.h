// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>

/// \file
/// The gate through which a library thread goes into MPI. From MPI_Finalize on, MPI leaves its locks
/// alone, and one that a thread still holds then ends the program. So who finalises MPI while such a
/// thread is not certain to have ended closes the gate first.
///
/// Invariants
///  - Once `close` has returned true, the thread is not in MPI, and never will be again.
///  - The thread first says that it is inside and then looks whether the gate is closed; `close`
///    closes it first and then looks whether the thread is inside (all sequentially consistent): one
///    of the two sees the other.
///  - A thread without a gate passes, as those of the program do.
/// Threads: `guard` and InMpi: the guarded one; `close`: any other.

namespace forerun {

class MpiGate {
public:
  /// \p refused is called with \p whom where the thread finds the gate closed, and does not return.
  using Refused = void (*)(void *whom);
  MpiGate(Refused refused, void *whom) : refused_(refused), whom_(whom) {}
  MpiGate(const MpiGate &) = delete;
  MpiGate &operator=(const MpiGate &) = delete;

  /// From now on this thread goes through \p gate; null: through none.
  static void guard(MpiGate *gate);
  /// Lets the thread in no more, and waits until it has left. False: it is inside for so long.
  bool close(std::chrono::milliseconds atMost);

private:
  friend class InMpi;

  void enter();
  void leave();

  const Refused refused_;
  void *const whom_;
  std::atomic<int> inside_{0};
  std::atomic<bool> closed_{false};
};

/// Around calls of MPI; may be nested. Nothing in between waits, or throws the thread back.
class InMpi {
public:
  InMpi();
  ~InMpi();
  InMpi(const InMpi &) = delete;
  InMpi &operator=(const InMpi &) = delete;

private:
  MpiGate *const gate_;
};

} // namespace forerun
