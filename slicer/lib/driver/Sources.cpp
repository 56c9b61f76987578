// SPDX-License-Identifier: Apache-2.0
#include "driver/Sources.h"

#include "driver/Outputs.h"

#include <algorithm>
#include <llvm/Support/FileSystem.h>

namespace forerun::slicer {

namespace fs = llvm::sys::fs;

llvm::Expected<Commands> sourcesWithFlags(const std::vector<std::string> &sources,
                                          const std::vector<std::string> &compiler) {
  if (sources.empty())
    return llvm::createStringError("no source is named; see --help");
  llvm::SmallString<256> directory;
  if (const auto why = fs::current_path(directory))
    return llvm::errorCodeToError(why);
  Commands result;
  for (const std::string &each : sources) {
    if (!fs::exists(each))
      return llvm::createStringError(each + ": there is no such file");
    result.push_back(commandFor(each, compiler, directory.str().str()));
  }
  return result;
}

llvm::Expected<Commands> sourcesOfDatabase(std::string database,
                                           const std::vector<std::string> &sources) {
  if (fs::is_directory(database))
    database += "/compile_commands.json";
  auto all = readDatabase(database);
  if (!all)
    return all.takeError();
  if (all->empty())
    return llvm::createStringError(database + " has no C files");
  if (sources.empty())
    return all;
  Commands result;
  for (const std::string &each : sources) {
    const auto found = std::find_if(all->begin(), all->end(), [&](const auto &command) {
      return command.Filename == each || absolutePath(command.Filename) == absolutePath(each);
    });
    if (found == all->end())
      return llvm::createStringError(llvm::Twine(database) + " says nothing of " + each);
    result.push_back(*found);
  }
  return result;
}

} // namespace forerun::slicer
