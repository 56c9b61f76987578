// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Exchange.h"
#include "thread/Arena.h"

#include <cstddef>
#include <new>

/// \file
/// What the non-blocking calls that the pre-execution thread has made will bring, oldest first.
/// Threads: only that thread, which may be ended at any instruction: the memory is its own arena's.

namespace forerun {

/// What a non-blocking call will have brought when it has completed; without `data`, a value that
/// nobody needs any more. It may come as a message of at most `most` bytes.
struct Expected {
  int site = 0;
  void *data = nullptr;
  std::size_t most = 0;
  int from = -1; ///< rank in MPI_COMM_WORLD; -1: it comes only from the main thread
  Exchange::Key key{};
  Expected *next = nullptr;
};

class Expectations {
public:
  explicit Expectations(Arena &memory) : memory_(memory) {}

  bool add(const Expected &last) { ///< false: no memory
    void *place = memory_.allocate(sizeof last);
    if (place != nullptr)
      *end() = new (place) Expected(last);
    return place != nullptr;
  }
  bool has(int site) const { ///< anything of this site
    const Expected *each = first_;
    while (each != nullptr && each->site != site)
      each = each->next;
    return each != nullptr;
  }
  const Expected *first() const { return first_; }
  void dropFirst() {
    Expected *const gone = first_;
    first_ = gone->next;
    memory_.release(gone);
  }

private:
  Expected **end() {
    Expected **place = &first_;
    while (*place != nullptr)
      place = &(*place)->next;
    return place;
  }

  Arena &memory_;
  Expected *first_ = nullptr;
};

} // namespace forerun
