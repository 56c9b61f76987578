// SPDX-License-Identifier: Apache-2.0
#include "thread/Beginning.h"

namespace forerun {

Beginning::Beginning(int argc, char **argv)
    : arguments_(argv, argv + argc), random_(std::make_unique<RandomStreams>()) {
  for (std::string &argument : arguments_)
    pointers_.push_back(argument.data());
  pointers_.push_back(nullptr);
}

} // namespace forerun
