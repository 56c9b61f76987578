// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class Decl;
class FunctionDecl;
class NamedDecl;
class VarDecl;
} // namespace clang

namespace forerun::slicer {

class Models;

/// The functions of a program that, by what they name, lead to MPI-IO or a library with a twin, or
/// start MPI, and those that pointers point to. The coarsest analysis looks at no others: it treats
/// them as functions of a library without models, and knows only the globals that they change. It
/// does not know what they do through pointers that they are not given: what the slice foresees may
/// then be wrong, as with such a library.
class Frame {
public:
  /// \p launchIn: the function in which a pragma starts pre-execution; may be null.
  Frame(const Units &units, const Models &models, const clang::FunctionDecl *launchIn);

  bool has(const clang::FunctionDecl *function) const { return kept_.count(keyOf(function)) > 0; }
  /// Whether the function is the program's, and not in the frame.
  bool leavesOut(const clang::FunctionDecl *function) const;
  /// Globals (canonical declarations) that a call of a function left out may change.
  std::vector<const clang::VarDecl *> changedBy(const clang::FunctionDecl *function) const;

private:
  /// Identifies an entity in all units: a name, or the canonical declaration of something static.
  using Key = std::pair<const clang::Decl *, std::string>;
  class Names;
  /// A function, or a variable with its initialiser.
  struct Entity {
    bool isFunction = false;
    bool isSeed = false; ///< a starting point of the search
    bool callsByPointer = false;
    bool storesPointers = false; ///< to functions
    std::set<Key> names, taken;  ///< functions and variables; functions whose address it takes
    std::map<Key, const clang::VarDecl *> changed;
  };

  static Key keyOf(const clang::NamedDecl *declaration);
  void collect(const Unit &unit, const Models &models);
  void keepWhatLeads();

  std::map<Key, Entity> entities_;
  std::set<Key> kept_, pointed_; ///< pointed_: functions whose address is taken
};

} // namespace forerun::slicer
