// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/Tooling/CompilationDatabase.h>
#include <string>

/// \file
/// The user's compiler decides whether a source has errors. Clang reports some where GCC has none:
/// they cost only the functions that contain them (CompileErrors.h). But what both refuse is no
/// program, and whoever asks about it is told.

namespace forerun::slicer {

/// Whether the command's compiler refuses the source; it has then printed why. \p error is Clang's
/// first, which is printed if the compiler cannot be run.
bool isRefused(const clang::tooling::CompileCommand &command, const std::string &error);

} // namespace forerun::slicer
