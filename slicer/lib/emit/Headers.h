// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HEADERS_H
#define FORERUN_SLICER_HEADERS_H

#include "emit/Edits.h"
#include "emit/EmitScope.h"
#include <map>
#include <optional>
#include <set>
#include <string>

/// \file
/// The changed text of a header in which something is inserted replaces its `#include`: the
/// program's own files are not changed, and other units may need the header unchanged. Its lines
/// keep their numbers and its name.

namespace forerun::slicer {

/// The insertions of one unit, by file.
using FileEdits = std::map<clang::FileID, Edits>;

/// Why no changed text of `file` can replace its `#include`; nullptr: it can.
const char *whyLeftAlone(clang::FileID file, const clang::SourceManager &sources);

/// `#line` for the line in which `offset` lies, with the name and number that the program gave it.
std::string lineDirective(clang::FileID file, unsigned offset, const clang::SourceManager &sources);

/// The text of the unit's main file with all insertions, changed headers in it; nothing if they do
/// not fit together.
std::optional<std::string> editedText(const EmitScope &scope, FileEdits edits);

} // namespace forerun::slicer

#endif
