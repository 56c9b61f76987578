// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/Analysis.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>

namespace forerun::slicer {

/// What becomes of the call in the pre-execution thread; empty if it is neither MPI-IO nor a read
/// of a twin, and has no site.
std::optional<std::string> fateOf(const Analysis &analysis, const Call &call);

/// The notes of the analysis, the exits that are cut, and the statements that the slicer does not
/// know.
std::vector<Note> notesOf(const Analysis &analysis);

/// What was found: call sites of MPI-IO and what becomes of each, what is forwarded or cut, and how
/// many of the statements are in the slice.
llvm::json::Object summary(const Analysis &analysis, const Units &units);

/// The same in Clang's form: file:line:column on each line.
void printSummary(const llvm::json::Object &summary, llvm::raw_ostream &out);

/// The sources with a mark on each line: > where something is kept, ~ where it is spared because
/// its result is handed over.
void printMarked(const Analysis &analysis, const Units &units, llvm::raw_ostream &out);

} // namespace forerun::slicer
