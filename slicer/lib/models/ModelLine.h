// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_MODELLINE_H
#define FORERUN_SLICER_MODELLINE_H

#include "models/FunctionModel.h"

#include <string>
#include <string_view>
#include <vector>

/// \file
/// One line of a model file: `NAMES KIND PARAMETERS [ATTRIBUTE...]` or `NAMES like NAME`.
/// Knows the syntax and nothing of other lines. For Models only.

namespace forerun::slicer {

struct ModelLine {
  std::vector<std::string> names; ///< braces expanded
  std::string like;               ///< not empty: the model of this name, `model` says nothing
  FunctionModel model;            ///< without its name and stand-in
  std::string error;              ///< not empty: what is wrong, the rest says nothing

  /// `line` is not blank and has no comment.
  static ModelLine parse(std::string_view line);
};

/// `a{b,c}d` is abd acd; nothing in case of unbalanced or nested braces.
std::vector<std::string> expandBraces(std::string_view pattern);

} // namespace forerun::slicer

#endif
