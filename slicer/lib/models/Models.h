// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/FunctionModel.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forerun::slicer {

struct ModelLine;

/// The models of all functions without source. They are data, `slicer/models/*.model`.
///
/// Invariants: every name that can be looked up has a kind. A model has precedence over a body that
/// a header may give the function.
class Models {
public:
  /// The models that come with the slicer: libc, libm, MPI, HDF5, netCDF, PnetCDF.
  static const Models &builtIn();

  /// Adds the lines of a model file; a line for a known name replaces what was known. Returns one
  /// message "file:line: ..." for each wrong line; such lines have no effect.
  std::vector<std::string> add(std::string_view text, std::string_view file);
  std::vector<std::string> addFile(const std::filesystem::path &file);

  /// Null if there is no model. `__builtin_x` is x and `PMPI_x` is MPI_x unless they have
  /// models of their own.
  const FunctionModel *find(std::string_view name) const;

  /// The variant of a model with a stand-in or a hidden state for which the main thread hands over
  /// the results.
  const FunctionModel &forwarded(const FunctionModel &model) const {
    return forwarded_.at(model.name);
  }

  /// Functions and variables of libraries with twins: by name, the library.
  const std::map<std::string, std::string> &twins() const { return twins_; }

  /// By name; for tests and listings.
  const std::map<std::string, FunctionModel, std::less<>> &all() const { return models_; }

private:
  void take(const ModelLine &line);

  std::map<std::string, FunctionModel, std::less<>> models_;
  std::map<std::string, FunctionModel> forwarded_; ///< with a stand-in or a hidden state
  std::map<std::string, std::string> twins_;
};

} // namespace forerun::slicer
