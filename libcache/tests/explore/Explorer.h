// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_EXPLORER_H
#define FORERUN_EXPLORER_H

#include "Explored.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

/// \file
/// Runs a few processes of a pool in every order in which they can use its memory, and lets them die
/// at every point, if asked to.
///
/// The processes are coroutines of one thread, and run the real code, whose words and copies
/// (Explored.h) tell when another may have its turn: before the use of a word that one of them changes
/// and another uses. What orders there are is found by depth-first search; each is run from the start,
/// along the choices so far. Where a state has been seen before (all that was written to the memory,
/// and all that each process has seen of it, from which follows what it will do) the search goes no
/// further. So it is exhaustive, but for two states that one number of 64 bits stands for.
///
/// Time is a counter that each look at the clock moves on; who sleeps is woken when somebody wakes
/// him, or when nobody else can go on.

namespace forerun::explore {

/// What is explored: made anew for each order.
class World {
public:
  virtual ~World() = default;
  virtual unsigned processes() const = 0;
  virtual const std::byte *memory() const = 0; ///< where what is shared begins
  virtual void run(unsigned process) = 0;
  virtual void die(unsigned /*process*/) {} ///< it is never run again
  virtual void end() {}                     ///< all are done or dead
};

struct Bounds {
  unsigned deaths = 0;
  /// Turns that are taken from one who could go on; all: every order there is.
  unsigned preemptions = ~0U;
  std::uint64_t tickNs = 1; ///< by which each look at the clock moves it on
};

struct Explored {
  std::size_t orders = 0, states = 0;
};

/// Stops after the order in which \p failed first says so.
Explored explore(const std::function<std::unique_ptr<World>()> &make, const Bounds &bounds,
                 const std::function<bool()> &failed);

} // namespace forerun::explore

#endif
