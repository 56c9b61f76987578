// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/FunctionModel.h"

#include <string>
#include <string_view>
#include <vector>

/// \file
/// One line of a model file: `NAMES KIND PARAMETERS [ATTRIBUTE...]`, `NAMES like NAME` or
/// `NAMES variable LIBRARY`.
/// It knows the syntax and nothing of other lines. For Models only.

namespace forerun::slicer {

struct ModelLine {
  std::vector<std::string> names; ///< braces expanded
  std::string like;               ///< not empty: the model of this name; `model` is unused
  std::string variableOf;         ///< not empty: they are variables of this library's twin
  FunctionModel model;            ///< without its name and stand-in
  std::string error;              ///< not empty: what is wrong; the rest is unused

  /// `line` is not blank and has no comment.
  static ModelLine parse(std::string_view line);
};

} // namespace forerun::slicer
