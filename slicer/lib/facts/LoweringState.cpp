// SPDX-License-Identifier: Apache-2.0
#include "facts/LoweringState.h"

#include <clang/Basic/SourceManager.h>

namespace forerun::slicer {

namespace {
constexpr std::size_t kMostCopies = 128; ///< of all functions
} // namespace

ObjectId LoweringState::addObject(Object object) {
  program.objects.push_back(std::move(object));
  return static_cast<ObjectId>(program.objects.size()) - 1;
}

ObjectId LoweringState::objectOf(const clang::VarDecl *variable, FunctionId owner) {
  variable = variable->getCanonicalDecl();
  const std::pair key(variable, variable->hasGlobalStorage() ? kNone : owner);
  if (const auto known = variables_.find(key); known != variables_.end())
    return known->second;
  Object object;
  object.name = variable->getNameAsString();
  object.variable = variable;
  object.isStatic = variable->hasGlobalStorage();
  if (!object.isStatic)
    object.owner = owner;
  ObjectId id = kNone;
  if (variable->hasExternalFormalLinkage()) {
    const auto [place, isNew] = globalsByName_.try_emplace(object.name, kNone);
    if (isNew) {
      object.isExternal = true;
      place->second = addObject(object);
    }
    id = place->second;
  } else {
    id = addObject(object);
  }
  variables_[key] = id;
  if (variable->hasExternalFormalLinkage() &&
      variable->hasDefinition() != clang::VarDecl::DeclarationOnly)
    program.objects[id].isExternal = false;
  return id;
}

ObjectId LoweringState::objectOf(const clang::FunctionDecl *function) {
  function = function->getCanonicalDecl();
  if (const auto known = functionObjects_.find(function); known != functionObjects_.end())
    return known->second;
  const FunctionId id = functionOf(function);
  const std::string name = function->getNameAsString();
  const bool isShared = function->hasExternalFormalLinkage();
  if (isShared)
    if (const auto known = functionObjectsByName_.find(name); known != functionObjectsByName_.end())
      return functionObjects_[function] = known->second;
  Object object;
  object.kind = Object::Kind::Function;
  object.name = name;
  object.function = id;
  object.isStatic = true;
  const ObjectId made = addObject(object);
  functionObjects_[function] = made;
  if (isShared)
    functionObjectsByName_[name] = made;
  return made;
}

ObjectId LoweringState::stateObject(const std::string &name) {
  const auto [place, isNew] = states_.try_emplace(name, kNone);
  if (isNew) {
    Object object;
    object.kind = Object::Kind::State;
    object.name = name;
    object.isStatic = true;
    place->second = addObject(object);
  }
  return place->second;
}

ObjectId LoweringState::globalObject(const std::string &name) {
  const auto [place, isNew] = globalsByName_.try_emplace(name, kNone);
  if (isNew) {
    Object object;
    object.name = name;
    object.isStatic = object.isExternal = true;
    place->second = addObject(object);
  }
  return place->second;
}

const FunctionModel *LoweringState::modelOf(const clang::FunctionDecl *function) const {
  if (frame && frame->leavesOut(function))
    return nullptr;
  if (const FunctionId body = functionOf(function); body != kNone) {
    const clang::FunctionDecl &own = *program.functions[body].definition;
    if (!own.getASTContext().getSourceManager().isInSystemHeader(own.getLocation()))
      return nullptr;
  }
  return models.find(function->getNameAsString());
}

FunctionId LoweringState::functionOf(const clang::FunctionDecl *function) const {
  if (const auto known = functions_.find(function->getCanonicalDecl()); known != functions_.end())
    return known->second;
  if (function->hasExternalFormalLinkage())
    if (const auto known = functionsByName_.find(function->getNameAsString());
        known != functionsByName_.end())
      return known->second;
  return kNone;
}

FunctionId LoweringState::addFunction(const clang::FunctionDecl *definition) {
  if (const FunctionId known = functionOf(definition); known != kNone)
    return known;
  const auto id = static_cast<FunctionId>(program.functions.size());
  Function function;
  function.name = definition->getNameAsString();
  function.definition = definition;
  program.functions.push_back(function);
  functions_[definition->getCanonicalDecl()] = id;
  if (definition->hasExternalFormalLinkage())
    functionsByName_[function.name] = id;
  return id;
}

FunctionId LoweringState::calleeOf(FunctionId function) {
  if (!copied.contains(program.functions[function].definition) || called_.insert(function).second ||
      program.functions.size() - functions_.size() > kMostCopies)
    return function;
  const auto id = static_cast<FunctionId>(program.functions.size());
  Function copy;
  copy.name = program.functions[function].name;
  copy.definition = program.functions[function].definition;
  copy.copyOf = function;
  program.functions.push_back(copy);
  program.functions[function].copies.push_back(id);
  copiesToLower.push_back(id);
  return id;
}

Var LoweringState::addressOf(ObjectId object, std::int64_t offset) {
  meet(object);
  const auto [place, isNew] = addresses_.try_emplace({object, offset}, kNone);
  if (isNew) {
    place->second = temporary();
    program.constraints.push_back(
        {Constraint::Kind::Address, place->second, kNone, object, offset});
  }
  return place->second;
}

Var LoweringState::addressOf(const Place &place) {
  if (place.object != kNone)
    return addressOf(place.object, place.offset);
  if (place.pointer == kNone || place.offset == 0)
    return place.pointer;
  const Var shifted = temporary();
  copy(shifted, place.pointer, place.offset);
  return shifted;
}

Var LoweringState::contentOf(const Place &place) {
  if (place.object != kNone) {
    meet(place.object);
    const auto [known, isNew] = contents_.try_emplace({place.object, place.offset}, kNone);
    if (isNew) {
      known->second = temporary();
      program.constraints.push_back(
          {Constraint::Kind::Load, known->second, addressOf(place.object, place.offset), kNone, 0});
    }
    return known->second;
  }
  if (place.pointer == kNone)
    return kNone;
  const Var value = temporary();
  program.constraints.push_back(
      {Constraint::Kind::Load, value, place.pointer, kNone, place.offset});
  return value;
}

void LoweringState::define(NodeId node, const Access &written) {
  if (written.place.object != kNone)
    meet(written.place.object);
  if (written.place.object != kNone || written.place.pointer != kNone)
    program.nodes[node].defs.push_back(written);
}

void LoweringState::store(const Place &place, Var value) {
  const Var address = addressOf(place);
  if (address != kNone && value != kNone)
    program.constraints.push_back({Constraint::Kind::Store, address, value, kNone, 0});
}

void LoweringState::copyRecord(const Place &to, Var fromAddress, std::int64_t bytes) {
  const Var address = addressOf(to);
  if (address != kNone && fromAddress != kNone)
    program.constraints.push_back(
        {Constraint::Kind::Memory, address, fromAddress, kNone, 0, bytes});
}

void LoweringState::copy(Var to, Var from, std::int64_t offset, bool anyOffset) {
  if (to != kNone && from != kNone)
    program.constraints.push_back(
        {Constraint::Kind::Copy, to, from, kNone, offset, kEnd, anyOffset});
}

Var LoweringState::join(Var one, Var other) {
  if (one == kNone || other == kNone || one == other)
    return one == kNone ? other : one;
  const Var both = temporary();
  copy(both, one);
  copy(both, other);
  return both;
}

std::int64_t LoweringState::sizeOf(clang::QualType type) const {
  if (type.isNull() || type->isIncompleteType() || type->isFunctionType() ||
      type->isVariableArrayType() || type->isDependentType())
    return kEnd;
  return static_cast<std::int64_t>(context->getTypeSize(type));
}

} // namespace forerun::slicer
