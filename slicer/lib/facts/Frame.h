// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_FRAME_H
#define FORERUN_SLICER_FRAME_H

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

/// The functions of a program that lead to MPI-IO or start MPI, by what they name, and those that
/// pointers point to. All that the coarsest analysis looks at: others are to it as functions of a
/// library that nobody has a model of, of which it knows nothing but the globals that they change.
/// What these do through pointers that they are not given is not known: what is foreseen may then
/// be wrong, as it may be of such a library.
class Frame {
public:
  /// \p launchIn: the function in which a pragma starts pre-execution; may be null.
  Frame(const Units &units, const clang::FunctionDecl *launchIn);

  bool has(const clang::FunctionDecl *function) const { return kept_.count(keyOf(function)) > 0; }
  /// Of the program, and not in the frame.
  bool leavesOut(const clang::FunctionDecl *function) const;
  /// Globals (canonical declarations) that a call of a function left out may change.
  std::vector<const clang::VarDecl *> changedBy(const clang::FunctionDecl *function) const;

private:
  /// What means the same in all units: a name, or what is static by its canonical declaration.
  using Key = std::pair<const clang::Decl *, std::string>;
  class Names;
  /// A function, or a variable with what it begins with.
  struct Entity {
    bool isFunction = false;
    bool isSeed = false; ///< names what the frame is about
    bool callsByPointer = false;
    std::set<Key> names, taken; ///< functions and variables; functions whose address it takes
    std::map<Key, const clang::VarDecl *> changed;
  };

  static Key keyOf(const clang::NamedDecl *declaration);
  void collect(const Unit &unit);
  void keepWhatLeads();

  std::map<Key, Entity> entities_;
  std::set<Key> kept_, pointed_; ///< pointed_: functions whose address is taken
};

} // namespace forerun::slicer

#endif
