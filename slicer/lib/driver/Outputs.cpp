// SPDX-License-Identifier: Apache-2.0
#include "driver/Outputs.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <tuple>

namespace forerun::slicer {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

struct Draft {
  llvm::SmallString<256> temporary, target;
};

llvm::Error failed(llvm::StringRef file, std::error_code why) {
  return llvm::createFileError(file, why);
}

/// Writes a temporary file beside the target, so that moving it there only changes a name.
llvm::Error write(const std::string &directory, const Output &output, Draft &draft) {
  draft.target = directory;
  path::append(draft.target, output.path);
  if (auto why = fs::create_directories(path::parent_path(draft.target)))
    return failed(draft.target, why);
  int descriptor = -1;
  if (auto why = fs::createUniqueFile(draft.target + ".%%%%%%", descriptor, draft.temporary,
                                      fs::OF_None, fs::all_read | fs::owner_write))
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
  std::map<std::string, unsigned> names;
  for (const Unit &unit : units)
    ++names[path::filename(unit.path).str()];
  std::vector<Output> outputs;
  llvm::json::Object map;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string name = path::filename(units[i].path).str();
    if (names[name] > 1)
      name.insert(0, std::to_string(i) + "-");
    llvm::SmallString<256> target(directory);
    path::append(target, name);
    map[units[i].path] = absolutePath(target);
    outputs.push_back({name, texts[i]});
  }
  std::string json;
  llvm::raw_string_ostream(json) << llvm::json::Value(std::move(map)) << '\n';
  outputs.push_back({"outputs.json", json});
  return outputs;
}

llvm::Error writeOutputs(const std::string &directory, const std::vector<Output> &outputs) {
  std::vector<Draft> drafts;
  auto removeDrafts = llvm::make_scope_exit([&] {
    for (const auto &draft : drafts)
      if (!draft.temporary.empty())
        std::ignore = fs::remove(draft.temporary);
  });
  for (const auto &output : outputs) {
    drafts.emplace_back();
    if (auto error = write(directory, output, drafts.back()))
      return error;
    if (fs::is_directory(drafts.back().target))
      return failed(drafts.back().target, std::make_error_code(std::errc::is_a_directory));
  }
  for (auto &draft : drafts) {
    if (auto why = fs::rename(draft.temporary, draft.target))
      return failed(draft.target, why);
    draft.temporary.clear();
  }
  return llvm::Error::success();
}

} // namespace forerun::slicer
