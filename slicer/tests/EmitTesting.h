// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ParseText.h"
#include "emit/Emit.h"
#include <functional>

/// \file
/// Emission without an analysis: programs whose comments say what is in the slice.
///
/// All functions of the `.c` files are cloned and everything in them is kept, but
///  - what begins on a line with `// out`;
///  - the initialiser of a variable on a line with `// no value`;
///  - the value of a return on a line with `// bare`.
/// All globals that are not const and not extern are private. The name of a function determines
/// what becomes of its calls: see planFor().

namespace forerun::slicer::testing {

struct Emitted {
  Files texts;                       ///< of the units, by name
  std::vector<EmitProblem> problems; ///< with dangling pointers: only the messages count
  bool compiles = false;             ///< all texts, by Clang, beside the headers of the runtime

  /// What has been appended to the unit; empty if nothing.
  std::string clones(const std::string &unit = "a.c") const;
  /// The unit's own text with the insertions, without the declarations before it.
  std::string own(const std::string &unit = "a.c") const;
};

/// Whether Clang accepts the texts, beside the headers of the runtime.
bool compiles(const Files &texts);

/// Changes to the slice before it is emitted.
using Amend = std::function<void(const Units &, Slice &)>;

Emitted emitted(const Files &files, const Amend &amend = {});
/// The same for one file, a.c.
Emitted emitted(const std::string &text, const Amend &amend = {});

/// The text appended for the body of `void f(...) { body }`, without head and braces.
std::string bodyOf(const std::string &before, const std::string &body);

/// The call of `function` with this number in source order; nullptr if there is none.
const clang::CallExpr *callOf(const Units &units, const std::string &function, int number = 0);
/// The plan of the call of `function` with this number in source order among its calls.
CallPlan &planOf(const Units &units, Slice &slice, const std::string &function, int number = 0);
/// Empty if the call is not one of MPI-IO.
std::optional<CallPlan::Io::Form> formOf(const CallPlan &plan);
/// The action of that plan, which is of this kind.
template <class Kind>
Kind &actionOf(const Units &units, Slice &slice, const std::string &function, int number = 0) {
  return std::get<Kind>(planOf(units, slice, function, number).action);
}

} // namespace forerun::slicer::testing
