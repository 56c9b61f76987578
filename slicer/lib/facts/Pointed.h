// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_POINTED_H
#define FORERUN_SLICER_POINTED_H

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

/// Which functions of libraries a call through a pointer may be one of, by its type: those whose
/// address the program takes. What it does with functions of its own is followed exactly
/// (PointsTo); a library function has no body that could be.
class Pointed {
public:
  using IsOwn = std::function<bool(const clang::FunctionDecl *)>;
  Pointed() = default;
  Pointed(const Units &units, const Models &models, const IsOwn &isOwn);

  struct Callees {
    std::set<std::string> names; ///< of functions of libraries
    bool isOwn = false;          ///< or of the program
    /// The name of the one function that it is, or of one of several that are the same to the
    /// slice.
    std::string only;
    /// The pre-execution thread may make the call: of a library's functions, or their stand-ins.
    bool isCallable = true;
    bool isIo = false;
  };
  /// `type` is that of the function. Nullptr: none of a library.
  const Callees *callees(clang::QualType type) const;
  /// Of all of them: by name, the functions that the pre-execution thread calls instead.
  const std::map<std::string, std::string> &standIns() const { return standIns_; }

private:
  class Finder;
  void judge(Callees &callees, const Models &models);

  std::map<std::string, Callees> byType_;
  std::map<std::string, std::string> standIns_;
};

} // namespace forerun::slicer

#endif
