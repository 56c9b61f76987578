// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"
#include <clang/Tooling/CompilationDatabase.h>
#include <functional>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <optional>
#include <string>

/// \file
/// From command lines of the program's own compiler to parsed units.

namespace forerun::slicer {

using Commands = std::vector<clang::tooling::CompileCommand>;

/// The C files of a compile_commands.json, each once.
llvm::Expected<Commands> readDatabase(const std::string &path);

/// One file with the arguments given to the compiler for it. `arguments` begins with the compiler;
/// an MPI wrapper compiler (mpicc) is asked which options it adds.
clang::tooling::CompileCommand commandFor(const std::string &file,
                                          std::vector<std::string> arguments,
                                          const std::string &directory = ".");

/// Parses all units; empty if one is not C or has a malformed pragma of ours (which has then been
/// reported). What Clang cannot read is left out with a warning: functions, or a whole unit; unless
/// `isRefused` (UsersCompiler.h), called with Clang's first error, is true.
/// Sources and headers are read from `files`; the default is the machine's file system.
using Refusal =
    std::function<bool(const clang::tooling::CompileCommand &, const std::string &error)>;
std::optional<Units> parse(const Commands &commands,
                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr,
                           const Refusal &isRefused = nullptr);

} // namespace forerun::slicer
