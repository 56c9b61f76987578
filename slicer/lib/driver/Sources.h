// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Front.h"

/// \file
/// Which sources are read, and with which flags: what the command line of the slicer names.

namespace forerun::slicer {

/// The named sources, all with the same flags, in the current directory. `compiler` is the command
/// without the source.
llvm::Expected<Commands> sourcesWithFlags(const std::vector<std::string> &sources,
                                          const std::vector<std::string> &compiler);

/// The named sources with their flags in a compile_commands.json; all its C files if none is named.
/// `database` may be the directory that contains it.
llvm::Expected<Commands> sourcesOfDatabase(std::string database,
                                           const std::vector<std::string> &sources);

} // namespace forerun::slicer
