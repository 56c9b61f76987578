// SPDX-License-Identifier: Apache-2.0
#include "slice/needs/Trial.h"

namespace forerun::slicer {

void Trial::keep() {
  isOpen_ = false;
  flags_.clear();
  undo_.clear();
}

void Trial::takeBack() {
  for (const auto &[flags, index] : flags_)
    flags->reset(index);
  for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo)
    (*undo)();
  keep();
}

bool Trial::set(llvm::BitVector &flags, int index) {
  const auto at = static_cast<unsigned>(index);
  if (flags.test(at))
    return false;
  flags.set(at);
  if (isOpen_)
    flags_.push_back({&flags, at});
  return true;
}

void Trial::setAll(llvm::BitVector &flags, const llvm::BitVector &more) {
  flags |= more;
  if (isOpen_)
    for (const unsigned each : more.set_bits())
      flags_.push_back({&flags, each});
}

void Trial::increment(std::size_t &counter) {
  ++counter;
  if (isOpen_)
    undo_.emplace_back([&counter] { --counter; });
}

} // namespace forerun::slicer
