// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Trace.h"
#include "policy/Policy.h"

/// \file
/// Replays a trace against a replacement policy: every page is looked up, and brought in when it is
/// not there. Nothing is prefetched: the question is what a policy keeps.

namespace forerun::sim {

struct Hits {
  std::size_t pages = 0;    ///< page accesses that found their page
  std::size_t requests = 0; ///< reads that found all their pages
};

/// Belady's MIN over the whole trace: no policy has more page hits.
Hits replayOptimum(const PageTrace &trace, std::size_t frames);

/// \p policy (for \p frames slots, empty) is told \p window requests ahead what will be read, page
/// by page: the number of the page access is its Sequence.
Hits replay(const PageTrace &trace, std::size_t frames, std::size_t window, Policy &policy);

} // namespace forerun::sim
