// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Front.h"
#include <map>
#include <string>

/// \file
/// Programs in strings: files by name, of which the `.c` files are the units. Headers of the
/// machine (mpi.h too) are found as usual. A comment at the end of a line is a mark: it says what
/// the slicer is to do with the line, or what a test expects of it.

namespace forerun::slicer::testing {

using Files = std::map<std::string, std::string>;

/// Nothing if one unit does not compile.
std::optional<Units> parseText(const Files &files);
/// The same where each does; if not, the test fails, and there are no units.
Units parsed(const Files &files);

/// What the marks say, by the number of the line (from 1): "in" for a line that ends in `// in`.
std::map<unsigned, std::string> marksIn(llvm::StringRef text);

} // namespace forerun::slicer::testing
