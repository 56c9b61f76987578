// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"

/// \file
/// Declarations that keep the inserted text apart from the program's names. They precede the
/// program's first line, where only macros of the command line are known, and these are suspended
/// meanwhile. Nothing of libc or MPI is included there, since the program may want to define
/// something first. The appended text needs C's plain keywords at the end of the file.

namespace forerun::slicer {

/// Declares the runtime's functions, and main's clone if the unit starts it.
std::string prologue(const EmitScope &scope, bool startsHere);

/// Undefines the program's macros that have names of keywords.
std::string plainKeywords(const EmitScope &scope);

/// Declares the stand-ins that the kept text calls, with the types of what they stand for.
std::string standInDeclarations(const EmitScope &scope);

/// Defines the functions that find what libraries' twins contain: `__forerun_twin_NAME()` is a
/// pointer to the twin's NAME.
std::string twinFunctions(const EmitScope &scope);
inline const std::string kTwin = "__forerun_twin_";

} // namespace forerun::slicer
