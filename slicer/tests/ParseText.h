// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_TESTS_PARSE_TEXT_H
#define FORERUN_SLICER_TESTS_PARSE_TEXT_H

#include "input/Front.h"
#include <map>
#include <string>

/// \file
/// Programs in strings: files by name, of which the `.c` files are the units. Headers of the
/// machine (mpi.h too) are found as usual.

namespace forerun::slicer::testing {

using Files = std::map<std::string, std::string>;

/// Nothing if one unit does not compile.
std::optional<Units> parseText(const Files &files);

} // namespace forerun::slicer::testing

#endif
