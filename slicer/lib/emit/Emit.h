// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"

/// \file
/// The last stage: the slice becomes text.
///
///     Unit, Slice --editMainThread--> insertions into the unit's own text
///                 --BodyWriter------> clones `f__pre`, private copies `x__pre`: appended
///
/// Except for insertions, the program's own text and its line numbers are unchanged. A unit in
/// which nothing is inserted stays as it was.

namespace forerun::slicer {

/// The whole text of `unit`'s output. What cannot be written is added to `problems`; the text must
/// then not be used: leave out the calls that the problems name, and emit again.
std::string emitUnit(const Unit &unit, const Slice &slice, const CloneNames &names,
                     std::vector<EmitProblem> &problems, std::vector<Written> &written);

/// One text for each unit, in their order, and where the statements of clones are in it.
std::vector<std::string> emitUnits(const Units &units, const Slice &slice,
                                   std::vector<EmitProblem> &problems,
                                   std::vector<Written> *written = nullptr);

} // namespace forerun::slicer
