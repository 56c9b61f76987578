// SPDX-License-Identifier: Apache-2.0
#include "emit/Emit.h"
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <tuple>

namespace forerun::slicer {

namespace fs = llvm::sys::fs;

namespace {

struct Draft {
  llvm::SmallString<256> temporary, target;
};

llvm::Error failed(llvm::StringRef path, std::error_code why) {
  return llvm::createFileError(path, why);
}

/// A temporary file beside the target: moving it there then changes one name.
llvm::Error write(const std::string &directory, const Output &output, Draft &draft) {
  draft.target = directory;
  llvm::sys::path::append(draft.target, output.path);
  if (auto why = fs::create_directories(llvm::sys::path::parent_path(draft.target)))
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
