// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/Edits.h"
#include "emit/EmitScope.h"
#include <map>
#include <optional>
#include <set>
#include <string>

/// \file
/// When something is inserted in a header, its changed text replaces the `#include`: the program's
/// own files are not changed, and other units may need the header unchanged. Its lines keep their
/// numbers and the header's name.

namespace forerun::slicer {

/// The insertions of one unit, by file.
using FileEdits = std::map<clang::FileID, Edits>;

/// Why the changed text of `file` cannot replace its `#include`; null if it can.
const char *whyLeftAlone(clang::FileID file, const clang::SourceManager &sources);

/// `#line` for the line that contains `offset`, with the name and number that the program gave it.
std::string lineDirective(clang::FileID file, unsigned offset, const clang::SourceManager &sources);

/// The text of the unit's main file with all insertions, including changed headers; empty if they
/// do not fit together.
std::optional<std::string> editedText(const EmitScope &scope, FileEdits edits);

} // namespace forerun::slicer
