// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"

#include <string>
#include <vector>

/// \file
/// Clones are put together from texts whose lines are not known before all are there. So each
/// statement carries a mark of its place in the source, in characters that no source has in this order.
/// If the compiler refuses a line, its statement is found by that.

namespace forerun::slicer {

std::string markOf(const clang::Stmt &stmt, const clang::SourceManager &sources);

/// The text without its marks; they are added to \p written. `line` is that of its first character.
std::string withoutMarks(const std::string &text, const Unit &unit, unsigned line,
                         std::vector<Written> &written);

} // namespace forerun::slicer
