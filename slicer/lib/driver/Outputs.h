// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"

#include <llvm/Support/Error.h>

/// \file
/// The files that a run writes: transformed sources, and `outputs.json`, the map from each source
/// to its transformed text.

namespace forerun::slicer {

struct Output {
  std::string path; ///< in the directory that is written to
  std::string text;
};

/// Files for the texts of `units` (one each, or none at all), with the map. A file has the name of
/// its source; sources that share a name get a number in front of it.
std::vector<Output> outputsOf(const Units &units, const std::vector<std::string> &texts,
                              const std::string &directory);

/// An error if one of the files is a source.
llvm::Error keepsSources(const Units &units, const std::string &directory,
                         const std::vector<Output> &outputs);

/// Writes all files into `directory` (made if it is not there), or none: they are moved into place
/// when all have been written.
llvm::Error writeOutputs(const std::string &directory, const std::vector<Output> &outputs);

/// The absolute path without dots; `file` itself if there is no current directory.
std::string absolutePath(llvm::StringRef file);

} // namespace forerun::slicer
