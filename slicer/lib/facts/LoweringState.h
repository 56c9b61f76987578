// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "facts/Frame.h"
#include "facts/Pointed.h"
#include "input/Overrides.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/DenseMap.h>
#include <map>
#include <string>

namespace forerun::slicer {

/// What the two halves of the lowering share: the program so far, and how they make its objects,
/// variables and constraints.
class LoweringState {
public:
  LoweringState(Program &theProgram, const Models &theModels, const Overrides &theOverrides,
                const Frame *theFrame)
      : program(theProgram), models(theModels), overrides(theOverrides), frame(theFrame) {}

  ObjectId addObject(Object object);
  ObjectId objectOf(const clang::VarDecl *variable, FunctionId owner);
  ObjectId objectOf(const clang::FunctionDecl *function);
  ObjectId stateObject(const std::string &name);
  /// A variable of a library: optarg, errno.
  ObjectId globalObject(const std::string &name);
  /// The function's id if a unit defines it, else kNone.
  FunctionId functionOf(const clang::FunctionDecl *function) const;
  /// Null if the program's own body counts, whatever the name, or if nothing is known.
  const FunctionModel *modelOf(const clang::FunctionDecl *function) const;
  /// Makes the function known to all units, before any body is lowered.
  FunctionId addFunction(const clang::FunctionDecl *definition);
  /// For a new call of \p function: itself, or a copy of its own.
  FunctionId calleeOf(FunctionId function);

  Var temporary() { return program.temporaries++; }
  void meet(ObjectId object) { program.functions[current].meets.insert(object); }
  Var addressOf(ObjectId object, std::int64_t offset);
  Var addressOf(const Place &place);
  Var contentOf(const Place &place);
  /// What the node writes, if that is known.
  void define(NodeId node, const Access &written);
  void store(const Place &place, Var value);
  void copyRecord(const Place &to, Var fromAddress, std::int64_t bytes);
  void copy(Var to, Var from, std::int64_t offset = 0, bool anyOffset = false);
  Var join(Var one, Var other);

  /// In bits.
  std::int64_t sizeOf(clang::QualType type) const;

  Program &program;
  bool integersMayPoint = false; ///< whether the program makes pointers from numbers
  const Models &models;
  const Overrides &overrides;
  const Frame *frame; ///< null: all functions are lowered
  Pointed pointed;
  std::set<const clang::FunctionDecl *> allocators; ///< definitions
  std::set<const clang::FunctionDecl *> copied;     ///< those that are lowered once for each call
  std::vector<FunctionId> copiesToLower;            ///< made, and without a body yet
  clang::ASTContext *context = nullptr;             ///< of the unit being lowered
  FunctionId current = 0;                           ///< function being lowered

private:
  std::map<std::string, FunctionId> functionsByName_;                 ///< external linkage
  llvm::DenseMap<const clang::FunctionDecl *, FunctionId> functions_; ///< canonical declarations
  std::map<std::string, ObjectId> globalsByName_;
  /// Those without static storage by the function that is lowered.
  std::map<std::pair<const clang::VarDecl *, FunctionId>, ObjectId> variables_;
  std::set<FunctionId> called_; ///< of those that are copied
  llvm::DenseMap<const clang::FunctionDecl *, ObjectId> functionObjects_;
  std::map<std::string, ObjectId> functionObjectsByName_;
  std::map<std::string, ObjectId> states_;
  std::map<std::pair<ObjectId, std::int64_t>, Var> addresses_;
  std::map<std::pair<ObjectId, std::int64_t>, Var> contents_;
};

} // namespace forerun::slicer
