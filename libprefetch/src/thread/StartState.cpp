// SPDX-License-Identifier: Apache-2.0
#include "thread/StartState.h"

namespace forerun {

StartState::StartState(int argc, char **argv)
    : arguments_(argv, argv + argc), random_(std::make_unique<RandomStreams>()) {
  for (std::string &argument : arguments_)
    pointers_.push_back(argument.data());
  pointers_.push_back(nullptr);
}

std::vector<std::span<std::byte>> StartState::memory() {
  std::vector<std::span<std::byte>> all{std::as_writable_bytes(std::span(pointers_))};
  for (std::string &argument : arguments_) // with the terminating null
    all.push_back(std::as_writable_bytes(std::span(argument.data(), argument.size() + 1)));
  return all;
}

} // namespace forerun
