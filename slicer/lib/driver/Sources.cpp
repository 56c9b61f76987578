// SPDX-License-Identifier: Apache-2.0
#include "driver/Sources.h"

#include "driver/Outputs.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <set>

namespace forerun::slicer {

namespace fs = llvm::sys::fs;

namespace {

/// An error if the file cannot be read to its end: opening a FIFO would wait for a writer.
llvm::Error needsFile(const std::string &file) {
  fs::file_status status;
  if (fs::status(file, status))
    return llvm::createStringError(file + ": there is no such file");
  if (status.type() != fs::file_type::regular_file)
    return llvm::createStringError(file + ": not a regular file");
  return llvm::Error::success();
}

/// An error if the compiler would take the file for something else: an object, a program.
llvm::Error needsSource(const std::string &file, const std::vector<std::string> &compiler) {
  const llvm::StringRef extension = llvm::sys::path::extension(file);
  const bool isNamed = llvm::any_of(
      compiler, [](llvm::StringRef word) { return word.starts_with("-x"); }); // the language is
  if (isNamed || extension == ".c" || extension == ".i")
    return llvm::Error::success();
  return llvm::createStringError(file + ": not a C source file");
}

/// An error if what an entry of a compile_commands.json names does not exist.
llvm::Error needsEntry(const clang::tooling::CompileCommand &command) {
  if (!fs::is_directory(command.Directory))
    return llvm::createStringError(command.Directory + ", the directory of " + command.Filename +
                                   ", is not there");
  llvm::SmallString<256> file(command.Filename);
  fs::make_absolute(command.Directory, file);
  if (auto error = needsFile(file.str().str()))
    return error;
  if (command.CommandLine.empty() || command.CommandLine.front().empty())
    return llvm::createStringError("there is no command for " + command.Filename);
  return llvm::Error::success();
}

/// The entries that are asked for, all if no source is named.
llvm::Expected<Commands> chosen(const Commands &all, const std::string &database,
                                const std::vector<std::string> &sources) {
  if (sources.empty())
    return all;
  Commands result;
  for (const std::string &each : sources) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto &command) {
      return command.Filename == each || absolutePath(command.Filename) == absolutePath(each);
    });
    if (found == all.end())
      return llvm::createStringError(llvm::Twine(database) + " says nothing of " + each);
    result.push_back(*found);
  }
  return result;
}

/// Each file once, however it is spelled: a program contains it once.
Commands eachOnce(Commands all) {
  Commands result;
  std::set<fs::UniqueID> known;
  for (auto &command : all) {
    llvm::SmallString<256> file(command.Filename);
    fs::make_absolute(command.Directory, file);
    fs::UniqueID id;
    if (fs::getUniqueID(file, id) || known.insert(id).second)
      result.push_back(std::move(command));
  }
  return result;
}

} // namespace

llvm::Expected<Commands> sourcesWithFlags(const std::vector<std::string> &sources,
                                          const std::vector<std::string> &compiler) {
  if (sources.empty())
    return llvm::createStringError("no source is named; see --help");
  llvm::SmallString<256> directory;
  if (const auto why = fs::current_path(directory))
    return llvm::errorCodeToError(why);
  Commands result;
  for (const std::string &each : sources) {
    if (auto error = needsFile(each))
      return error;
    if (auto error = needsSource(each, compiler))
      return error;
    result.push_back(commandFor(each, compiler, directory.str().str()));
  }
  return eachOnce(std::move(result));
}

llvm::Expected<Commands> sourcesOfDatabase(std::string database,
                                           const std::vector<std::string> &sources) {
  if (fs::is_directory(database))
    database += "/compile_commands.json";
  if (auto error = needsFile(database))
    return error;
  auto all = readDatabase(database);
  if (!all)
    return all.takeError();
  if (all->empty())
    return llvm::createStringError(database + " has no C files");
  auto result = chosen(*all, database, sources);
  if (!result)
    return result.takeError();
  for (const auto &each : *result)
    if (auto error = needsEntry(each))
      return llvm::createStringError(database + ": " + llvm::toString(std::move(error)));
  return eachOnce(std::move(*result));
}

} // namespace forerun::slicer
