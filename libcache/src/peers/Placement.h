// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PLACEMENT_H
#define FORERUN_PLACEMENT_H

#include "peers/PeerMessage.h"

/// \file
/// Which rank is the home of a page: the one whose directory says who has it.

namespace forerun {

class Placement {
public:
  virtual ~Placement() = default;
  virtual Rank homeOf(const PeerPage &page) const = 0;
};

/// Page after page to rank after rank: even, whatever part of a file is read.
class RoundRobin final : public Placement {
public:
  explicit RoundRobin(Rank ranks) : ranks_(ranks) {}
  Rank homeOf(const PeerPage &page) const override {
    return static_cast<Rank>((page.index + page.file) % ranks_);
  }

private:
  Rank ranks_;
};

} // namespace forerun

#endif
