// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Explored.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

/// \file
/// Runs a few processes of a pool in every order in which they can use its memory and, if asked to,
/// lets them die at every point.
///
/// The processes are coroutines of one thread, and run the real code, whose words and copies
/// (Explored.h) tell when another process may have its turn: before the use of a word that one
/// process changes and another uses. The orders are enumerated by depth-first search; each is run
/// from the start, along the choices so far. If a state was seen before (everything that was
/// written to the memory, and everything that each process has seen of it, which determines what it
/// will do), the search goes no further. So it is exhaustive, except for collisions of the 64-bit
/// hash of a state.
///
/// Time is a counter that each look at the clock advances; a sleeping process is woken when another
/// one wakes it, or when no other one can continue.

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
  /// Turns that are taken from a process that could continue; all: every possible order.
  unsigned preemptions = ~0U;
  std::uint64_t tickNs = 1; ///< by which each look at the clock advances it
};

struct Explored {
  std::size_t orders = 0, states = 0;
};

/// Stops after the order in which \p failed first says so.
Explored explore(const std::function<std::unique_ptr<World>()> &make, const Bounds &bounds,
                 const std::function<bool()> &failed);

} // namespace forerun::explore
