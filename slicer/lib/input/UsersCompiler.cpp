// SPDX-License-Identifier: Apache-2.0
#include "input/UsersCompiler.h"

#include <clang/Tooling/ArgumentsAdjusters.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/WithColor.h>
#include <optional>
#include <vector>

namespace forerun::slicer {

namespace tooling = clang::tooling;

namespace {

/// The command that only checks the source, and writes nothing.
tooling::CommandLineArguments checking(const tooling::CompileCommand &command) {
  auto adjust = tooling::combineAdjusters(tooling::getClangStripOutputAdjuster(),
                                          tooling::getClangStripDependencyFileAdjuster());
  auto arguments = adjust(command.CommandLine, command.Filename);
  arguments.insert(std::next(arguments.begin()), {"-fsyntax-only", "-w"});
  return arguments;
}

} // namespace

bool isRefused(const tooling::CompileCommand &command, const std::string &error) {
  const auto program = llvm::sys::findProgramByName(command.CommandLine.front());
  if (!program) {
    llvm::WithColor::error(llvm::errs(), "forerun-slice")
        << command.Filename << ": " << error << " (" << command.CommandLine.front()
        << " cannot be run)\n";
    return true;
  }
  llvm::SmallString<256> here;
  std::ignore = llvm::sys::fs::current_path(here);
  std::ignore = llvm::sys::fs::set_current_path(command.Directory);
  const auto arguments = checking(command);
  std::vector<llvm::StringRef> words(arguments.begin(), arguments.end());
  words.front() = *program;
  const int status =
      llvm::sys::ExecuteAndWait(*program, words, std::nullopt, {"", "", std::nullopt});
  std::ignore = llvm::sys::fs::set_current_path(here);
  return status != 0;
}

} // namespace forerun::slicer
