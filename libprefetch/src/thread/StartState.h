// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thread/RandomStreams.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

/// \file
/// What the program finds when its main begins, kept for the pre-execution thread, which begins
/// there too: the arguments (MPI_Init and the program may change the main thread's), and the
/// streams of random numbers. The main thread makes it; then only the pre-execution thread uses it.

namespace forerun {

class StartState {
public:
  StartState() : StartState(0, nullptr) {}
  StartState(int argc, char **argv);
  StartState(const StartState &) = delete;
  StartState &operator=(const StartState &) = delete;

  int argc() const { return static_cast<int>(arguments_.size()); }
  char **argv() { return pointers_.data(); }  ///< with a null after the last; may be written to
  std::vector<std::span<std::byte>> memory(); ///< of argv and the arguments
  std::unique_ptr<RandomStreams> takeRandom() { return std::move(random_); }

private:
  std::vector<std::string> arguments_;
  std::vector<char *> pointers_;
  std::unique_ptr<RandomStreams> random_;
};

} // namespace forerun
