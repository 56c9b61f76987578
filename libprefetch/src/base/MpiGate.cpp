// SPDX-License-Identifier: Apache-2.0
#include "base/MpiGate.h"

#include <thread>

namespace forerun {
namespace {

constinit thread_local MpiGate *theGate = nullptr;

} // namespace

void MpiGate::guard(MpiGate *gate) { theGate = gate; }

bool MpiGate::close(std::chrono::milliseconds atMost) {
  constexpr std::chrono::milliseconds kGlance{1};
  closed_.store(true);
  for (auto waited = kGlance; inside_.load() != 0 && waited <= atMost; waited += kGlance)
    std::this_thread::sleep_for(kGlance);
  return inside_.load() == 0;
}

void MpiGate::enter() {
  if (inside_.fetch_add(1) != 0 || !closed_.load())
    return;
  leave();
  refused_(whom_);
}

void MpiGate::leave() { inside_.fetch_sub(1); }

InMpi::InMpi() : gate_(theGate) {
  if (gate_ != nullptr)
    gate_->enter();
}

InMpi::~InMpi() {
  if (gate_ != nullptr)
    gate_->leave();
}

} // namespace forerun
