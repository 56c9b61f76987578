// SPDX-License-Identifier: Apache-2.0
#include "driver/Outputs.h"

#include <filesystem>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <set>
#include <tuple>

namespace forerun::slicer {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

struct Draft {
  llvm::SmallString<256> temporary, target; ///< no temporary: the target is written itself
};

/// For each unit the name of its source; with a number in front where several share one, such that
/// no other source has that name.
std::vector<std::string> namesOf(const Units &units) {
  std::map<std::string, unsigned> sources;
  for (const Unit &unit : units)
    ++sources[path::filename(unit.path).str()];
  std::vector<std::string> result;
  std::set<std::string> taken;
  for (const Unit &unit : units) {
    const std::string plain = path::filename(unit.path).str();
    std::string name = plain;
    for (std::size_t number = result.size(); sources[plain] > 1; ++number) {
      name = std::to_string(number) + "-" + plain;
      if (sources.count(name) == 0 && taken.insert(name).second)
        break;
    }
    result.push_back(name);
  }
  return result;
}

llvm::Error failed(llvm::StringRef file, std::error_code why) {
  return llvm::createFileError(file, why);
}

/// Whether something is there that is neither a file nor a directory: a device, a pipe.
bool isSpecial(llvm::StringRef file) {
  fs::file_status status;
  return !fs::status(file, status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// Where a link leads, also if nothing is there yet.
std::string followed(std::filesystem::path file) {
  constexpr int kMaxLinks = 40; // as the kernel
  std::error_code none;
  for (int links = 0; links < kMaxLinks && std::filesystem::is_symlink(file, none); ++links)
    file = file.parent_path() / std::filesystem::read_symlink(file, none);
  return file.string();
}

/// Beside the target, and short however long its name is; it cannot be foretold.
llvm::SmallString<256> temporaryFor(llvm::StringRef target) {
  llvm::SmallString<256> result = path::parent_path(target);
  path::append(result, ".forerun-" + llvm::utohexstr(llvm::sys::Process::GetRandomNumber()));
  return result;
}

/// Opens a temporary file beside the target, so that moving it is only a rename. A link stays what it
/// is, and a device, too; what may not be written is not replaced either.
std::error_code open(Draft &draft, int &descriptor) {
  if (auto why = fs::create_directories(path::parent_path(draft.target)))
    return why;
  if (isSpecial(draft.target))
    return fs::openFileForWrite(draft.target, descriptor, fs::CD_OpenExisting, fs::OF_None);
  if (fs::is_directory(draft.target))
    return std::make_error_code(std::errc::is_a_directory);
  draft.target = followed(std::string(draft.target));
  if (fs::is_symlink_file(draft.target))
    return std::make_error_code(std::errc::too_many_symbolic_link_levels);
  if (fs::exists(draft.target))
    if (auto why = fs::access(draft.target, fs::AccessMode::Write))
      return why;
  const auto temporary = temporaryFor(draft.target);
  auto why = fs::openFileForWrite(temporary, descriptor, fs::CD_CreateNew, fs::OF_None,
                                  fs::all_read | fs::owner_write);
  if (!why) {
    draft.temporary = temporary;
    llvm::sys::RemoveFileOnSignal(draft.temporary);
  }
  return why;
}

llvm::Error write(const std::string &directory, const Output &output, Draft &draft) {
  draft.target = directory;
  path::append(draft.target, output.path);
  int descriptor = -1;
  if (auto why = open(draft, descriptor))
    return failed(draft.target, why);
  llvm::raw_fd_ostream out(descriptor, true);
  out << output.text;
  out.close();
  auto why = out.error();
  out.clear_error();
  return why ? failed(draft.target, why) : llvm::Error::success();
}

} // namespace

std::string absolutePath(llvm::StringRef file) {
  llvm::SmallString<256> result(file);
  if (fs::make_absolute(result))
    return file.str();
  path::remove_dots(result, true);
  return result.str().str();
}

std::vector<Output> outputsOf(const Units &units, const std::vector<std::string> &texts,
                              const std::string &directory) {
  const std::vector<std::string> names = namesOf(units);
  std::vector<Output> outputs;
  llvm::json::Object map;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    llvm::SmallString<256> target(directory);
    path::append(target, names[i]);
    map[units[i].path] = absolutePath(target);
    outputs.push_back({names[i], texts[i]});
  }
  std::string json;
  llvm::raw_string_ostream(json) << llvm::json::Value(std::move(map)) << '\n';
  outputs.push_back({"outputs.json", json});
  return outputs;
}

llvm::Error keepsSources(const Units &units, const std::string &directory,
                         const std::vector<Output> &outputs) {
  for (const Output &output : outputs) {
    llvm::SmallString<256> target(directory);
    path::append(target, output.path);
    for (const Unit &unit : units)
      if (fs::equivalent(target, unit.path))
        return llvm::createStringError(unit.path +
                                       ": the source would be overwritten; name another directory");
  }
  return llvm::Error::success();
}

llvm::Error writeOutputs(const std::string &directory, const std::vector<Output> &outputs) {
  std::vector<Draft> drafts;
  auto removeDrafts = llvm::make_scope_exit([&] {
    for (const auto &draft : drafts)
      if (!draft.temporary.empty()) {
        std::ignore = fs::remove(draft.temporary);
        llvm::sys::DontRemoveFileOnSignal(draft.temporary);
      }
  });
  for (const auto &output : outputs) {
    drafts.emplace_back();
    if (auto error = write(directory, output, drafts.back()))
      return error;
  }
  for (auto &draft : drafts) {
    if (draft.temporary.empty())
      continue;
    if (auto why = fs::rename(draft.temporary, draft.target))
      return failed(draft.target, why);
    llvm::sys::DontRemoveFileOnSignal(draft.temporary);
    draft.temporary.clear();
  }
  return llvm::Error::success();
}

} // namespace forerun::slicer
