// SPDX-License-Identifier: Apache-2.0
#include "models/Ids.h"
#include "models/Worklist.h"
#include "slice/plan/Planner.h"

#include <clang/AST/Decl.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

class PrivatesPlanner : Planner {
public:
  explicit PrivatesPlanner(const Planner &shared) : Planner(shared) {
    for (const ObjectId id : ids(program_.objects))
      if (program_.objects[id].variable)
        objectOf_[program_.objects[id].variable] = id;
  }

  void plan() {
    const std::set<ObjectId> named = namedGlobals();
    for (bool changed = true; changed;) {
      changed = false;
      for (const ObjectId each : named)
        changed |= isPrivate(each) && privates_.insert(each).second;
    }
    for (const ObjectId each : privates_)
      if (const Object &object = program_.objects[each];
          object.variable && !object.isExternal && !object.variable->isStaticLocal())
        slice_.privates.insert(object.variable);
  }

private:
  /// Globals that kept text names, and what their initialisers lead to.
  std::set<ObjectId> namedGlobals() {
    Worklist<ObjectId> open;
    for (const GroupId id : ids(program_.groups))
      for (const clang::VarDecl *each : program_.groups[id].names)
        if (const ObjectId global = closure_.isActive(id) ? globalOf(*each) : kNone;
            global != kNone) {
          open.add(global);
          if (isInAllocator(program_.groups[id]))
            addArraysIn(global);
        }
    while (const auto each = open.next())
      open.addAll(initialisedWith(*each));
    return open.met();
  }

  ObjectId globalOf(const clang::VarDecl &variable) const {
    if (!variable.hasGlobalStorage())
      return kNone;
    if (const auto known = objectOf_.find(&variable); known != objectOf_.end())
      return known->second;
    for (const ObjectId id : ids(program_.objects))
      if (const Object &object = program_.objects[id];
          object.variable && object.variable->hasExternalFormalLinkage() &&
          variable.hasExternalFormalLinkage() && object.name == variable.getNameAsString())
        return id;
    return kNone;
  }

  std::vector<ObjectId> initialisedWith(ObjectId global) const {
    const auto known = program_.initialisedWith.find(global);
    return known == program_.initialisedWith.end() ? std::vector<ObjectId>() : known->second;
  }

  bool isInAllocator(const Group &group) const {
    return group.node != kNone &&
           program_.allocators.contains(
               program_.functions[program_.nodes[group.node].function].definition);
  }

  /// Adds the arrays that the global is, or that its initialiser names: `*next = room`. The allocator
  /// gives pieces of them. What is written to a piece is not known to be written to the array: each
  /// piece is memory of its own.
  void addArraysIn(ObjectId global) {
    const auto isArray = [&](ObjectId id) {
      const clang::VarDecl *variable = program_.objects[id].variable;
      return variable && variable->getType()->isArrayType();
    };
    if (isArray(global))
      privates_.insert(global);
    else
      llvm::copy_if(initialisedWith(global), std::inserter(privates_, privates_.end()), isArray);
  }

  bool isPrivate(ObjectId id) const {
    return program_.objects[id].kind != Object::Kind::Function &&
           (closure_.input().effects.isModified(id) ||
            llvm::any_of(initialisedWith(id), [&](ObjectId each) { return leadsToCopy(each); }));
  }

  bool leadsToCopy(ObjectId id) const {
    const Object &object = program_.objects[id];
    return privates_.contains(id) ||
           (object.function != kNone && closure_.hasClone(object.function)) ||
           program_.hasStandIn(object);
  }

  std::map<const clang::VarDecl *, ObjectId> objectOf_; ///< by canonical declaration
  std::set<ObjectId> privates_;
};

} // namespace

void planPrivates(const Planner &shared) { PrivatesPlanner(shared).plan(); }

} // namespace forerun::slicer
