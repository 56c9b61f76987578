// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"
#include "models/Models.h"

#include <clang/AST/Type.h>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace forerun::slicer {

/// Which library functions a call through a pointer may call, by its type: those whose address
/// the program takes. Pointers to the program's own functions are followed exactly (PointsTo);
/// library functions have no body to follow.
class Pointed {
public:
  using IsOwn = std::function<bool(const clang::FunctionDecl *)>;
  Pointed() = default;
  Pointed(const Units &units, const Models &models, const IsOwn &isOwn);

  struct Callees {
    std::set<std::string> names; ///< of functions of libraries
    bool isOwn = false;          ///< or of the program
    /// The name of the one function that it can be, or of one of several that are alike to the
    /// slice.
    std::string only;
    std::set<std::string>
        toldApart; ///< the names of those that are MPI-IO's, or of a library with a twin
    /// Whether the pre-execution thread can call the other library functions, or their stand-ins.
    bool isCallable = true;
  };
  /// `type` is the type of the function. Null: it can be no library function.
  const Callees *callees(clang::QualType type) const;
  /// By name, the functions that the pre-execution thread calls instead.
  const std::map<std::string, std::string> &standIns() const { return standIns_; }
  /// Those that only the main thread can call.
  const std::set<std::string> &mainOnly() const { return mainOnly_; }

private:
  class Finder;
  void judge(Callees &callees, const Models &models);

  std::map<std::string, Callees> byType_;
  std::map<std::string, std::string> standIns_;
  std::set<std::string> mainOnly_;
};

} // namespace forerun::slicer
