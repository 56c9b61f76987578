// SPDX-License-Identifier: Apache-2.0
#include "slice/Privates.h"

#include "models/Ids.h"
#include "models/Worklist.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <iterator>

namespace forerun::slicer {

namespace {

/// By canonical declaration.
using ObjectsOf = std::map<const clang::VarDecl *, ObjectId>;

ObjectsOf objectsOf(const Program &program) {
  ObjectsOf result;
  for (const ObjectId id : ids(program.objects))
    if (program.objects[id].variable)
      result[program.objects[id].variable] = id;
  return result;
}

ObjectId globalOf(const Program &program, const ObjectsOf &objects,
                  const clang::VarDecl *variable) {
  if (const auto known = objects.find(variable); known != objects.end())
    return known->second;
  for (const ObjectId id : ids(program.objects))
    if (const Object &object = program.objects[id];
        object.variable && object.variable->hasExternalFormalLinkage() &&
        variable->hasExternalFormalLinkage() && object.name == variable->getNameAsString())
      return id;
  return kNone;
}

/// The arrays that the global is, or that its initialiser names: `*next = room`.
std::vector<ObjectId> arraysIn(const Program &program, ObjectId global) {
  const auto isArray = [&](ObjectId id) {
    const clang::VarDecl *variable = program.objects[id].variable;
    return variable && variable->getType()->isArrayType();
  };
  if (isArray(global))
    return {global};
  std::vector<ObjectId> result;
  if (const auto inner = program.initialisedWith.find(global);
      inner != program.initialisedWith.end())
    std::copy_if(inner->second.begin(), inner->second.end(), std::back_inserter(result), isArray);
  return result;
}

/// Arrays of which kept allocators give pieces. What is written to a piece is not known to be written
/// to the array: each piece is memory of its own.
std::set<ObjectId> arraysOfPieces(const Program &program, const Closure &closure) {
  const ObjectsOf objects = objectsOf(program);
  std::set<ObjectId> result;
  for (const GroupId id : ids(program.groups)) {
    const Group &group = program.groups[id];
    if (!closure.isActive(id) || group.node == kNone)
      continue;
    const FunctionId function = program.nodes[group.node].function;
    if (program.allocators.count(program.functions[function].definition) == 0)
      continue;
    for (const clang::VarDecl *each : group.names)
      if (const ObjectId global =
              each->hasGlobalStorage() ? globalOf(program, objects, each) : kNone;
          global != kNone)
        for (const ObjectId array : arraysIn(program, global))
          result.insert(array);
  }
  return result;
}

/// Globals that kept text names, and what their initialisers lead to.
std::set<ObjectId> namedGlobals(const Program &program, const Closure &closure) {
  const ObjectsOf objects = objectsOf(program);
  Worklist<ObjectId> open;
  for (const GroupId id : ids(program.groups))
    if (closure.isActive(id))
      for (const clang::VarDecl *each : program.groups[id].names)
        if (const ObjectId global =
                each->hasGlobalStorage() ? globalOf(program, objects, each) : kNone;
            global != kNone)
          open.add(global);
  while (const auto each = open.next())
    if (const auto inner = program.initialisedWith.find(*each);
        inner != program.initialisedWith.end())
      open.addAll(inner->second);
  return open.met();
}

} // namespace

bool hasStandIn(const Program &program, const Object &object) {
  return object.kind == Object::Kind::Function && object.function == kNone &&
         program.standIns.count(object.name) > 0;
}

std::set<const clang::VarDecl *> privateGlobals(const Program &program, const Effects &effects,
                                                const Closure &closure) {
  std::set<ObjectId> privates = arraysOfPieces(program, closure);
  const auto leadsToCopy = [&](ObjectId id) {
    const FunctionId function = program.objects[id].function;
    return privates.count(id) > 0 || (function != kNone && closure.hasClone(function)) ||
           hasStandIn(program, program.objects[id]);
  };
  const auto isPrivate = [&](ObjectId id) {
    if (program.objects[id].kind == Object::Kind::Function)
      return false;
    const auto inner = program.initialisedWith.find(id);
    return effects.isModified(id) ||
           (inner != program.initialisedWith.end() &&
            std::any_of(inner->second.begin(), inner->second.end(), leadsToCopy));
  };
  const std::set<ObjectId> named = namedGlobals(program, closure);
  for (bool changed = true; changed;) {
    changed = false;
    for (const ObjectId each : named)
      if (isPrivate(each) && privates.insert(each).second)
        changed = true;
  }
  std::set<const clang::VarDecl *> result;
  for (const ObjectId each : privates)
    if (const Object &object = program.objects[each];
        object.variable && !object.isExternal && !object.variable->isStaticLocal())
      result.insert(object.variable);
  return result;
}

} // namespace forerun::slicer
