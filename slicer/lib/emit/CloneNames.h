// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"
#include "slice/plan/Slice.h"

#include <clang/AST/Decl.h>
#include <llvm/ADT/StringSet.h>
#include <set>
#include <string>

namespace forerun::slicer {

/// Which functions have clones and which variables have private copies. Names with external linkage
/// mean the same in all units.
class CloneNames {
public:
  /// Chooses names for clones and private copies that no unit contains.
  CloneNames(const Slice &slice, const Units &units);

  bool hasClone(const clang::FunctionDecl *function) const;
  bool isPrivate(const clang::VarDecl *variable) const;
  /// Whether the function has a lean clone, too.
  bool hasLean(const clang::FunctionDecl *function) const { return lean_.has(function); }

  std::string twin(const clang::NamedDecl *declaration) const {
    return declaration->getNameAsString() + ending_;
  }
  std::string lean(const clang::FunctionDecl *function) const {
    return function->getNameAsString() + ending_ + kLean;
  }
  std::string mainTwin() const { return "main" + ending_; }

private:
  struct Set {
    llvm::StringSet<> external;
    std::set<const clang::Decl *> internal; ///< canonical declarations

    void add(const clang::NamedDecl *declaration);
    bool has(const clang::NamedDecl *declaration) const;
  };

  static constexpr const char *kLean = "_lean";

  Set twins_, lean_;
  std::string ending_ = "__pre";
};

} // namespace forerun::slicer
