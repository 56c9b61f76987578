// SPDX-License-Identifier: Apache-2.0
#include "facts/CallEffects.h"

#include "facts/IoCalls.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

using namespace clang;

namespace {

/// MPI_IN_PLACE, which is a pointer cast from a number; or a variable initialised with it.
bool mayBeInPlace(const Expr *argument) {
  const Expr *plain = argument->IgnoreParenImpCasts();
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(plain))
    return mayBeInPlace(choice->getTrueExpr()) || mayBeInPlace(choice->getFalseExpr());
  if (const auto *name = dyn_cast<DeclRefExpr>(plain))
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      return variable->getType()->isPointerType() && variable->getInit() &&
             mayBeInPlace(variable->getInit());
  const auto *cast = dyn_cast<ExplicitCastExpr>(plain);
  return cast &&
         (cast->getSubExpr()->getType()->isIntegerType() || mayBeInPlace(cast->getSubExpr()));
}

Place wholeOf(ObjectId object) {
  Place place;
  place.object = object;
  return place;
}

/// Whether a call of printf's family has %n in its format: this conversion stores the number of
/// characters written through its argument.
bool storesCount(const Call &call) {
  const auto &parameters = call.model->parameters;
  const auto format = std::find_if(parameters.begin(), parameters.end(),
                                   [](const auto &each) { return each.name == "format"; });
  const auto index = static_cast<unsigned>(format - parameters.begin());
  if (format == parameters.end() || index >= call.expr->getNumArgs())
    return false;
  const auto *text = dyn_cast<StringLiteral>(call.expr->getArg(index)->IgnoreParenCasts());
  if (!text || text->getCharByteWidth() != 1)
    return false;
  llvm::StringRef rest = text->getString();
  for (auto at = rest.find('%'); at != llvm::StringRef::npos; at = rest.find('%')) {
    rest = rest.substr(at + 1).ltrim("-+ #0'I123456789.*$hlLqjzt");
    if (rest.consume_front("n"))
      return true;
    rest.consume_front("%");
  }
  return false;
}

bool isStream(QualType type, const ASTContext &context) {
  const QualType to = type->getPointeeType(), stream = context.getFILEType();
  return !to.isNull() && !stream.isNull() && context.hasSameUnqualifiedType(to, stream);
}

bool isNamedArray(const Expr *argument) {
  const auto *name = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
  return name && name->getType()->isConstantArrayType();
}

} // namespace

void CallEffects::ofLibrary() {
  argumentEffects();
  if (call_.model->kind == FunctionModel::Kind::Forward ||
      call_.model->kind == FunctionModel::Kind::Visible)
    keptPointers();
  resultEffects();
  copiedContents();
  pointerEffects();
  stateEffects();
  for (const FunctionModel::Callback &each : call_.model->callbacks)
    callback(each);
}

/// What the call reads and writes through its arguments.
void CallEffects::argumentEffects() {
  const FunctionModel &model = *call_.model;
  for (std::size_t i = 0; i < pointees_.size(); ++i) {
    const ParameterModel *parameter = model.parameter(i);
    if (!parameter)
      continue;
    const int number = static_cast<int>(i);
    Place pointee = pointees_[i];
    pointee.isStream =
        parameter->name == "stream" ||
        isStream(call_.expr->getArg(unsigned(i))->IgnoreParenCasts()->getType(), *state_.context);
    if (parameter->reads)
      reads(pointee);
    // An array of buffers (H5Dread_multi) is only read; the buffers' contents are filled, not read.
    const bool areFilled = parameter->deep && model.announces == number;
    if (parameter->writes && !areFilled) {
      Place written = pointee;
      written.inArray |= !parameter->must;
      define(written, number,
             isRead(call_) && call_.choiceOf == kNone &&
                 isNamedArray(call_.expr->getArg(static_cast<unsigned>(i))));
    }
    if (parameter->deep && call_.values[i] != kNone) {
      Place below;
      below.pointer = state_.contentOf(pointees_[i]);
      below.inArray = true;
      if (!areFilled)
        reads(below);
      if (parameter->writes)
        define(below, number);
    }
  }
  if (storesCount(call_))
    for (std::size_t i = model.parameters.size(); i < pointees_.size(); ++i)
      if (call_.expr->getArg(static_cast<unsigned>(i))->getType()->isPointerType())
        define(pointees_[i], static_cast<int>(i));
  if (const auto place = model.inPlace; place && pointees_.size() == model.parameters.size() &&
                                        mayBeInPlace(call_.expr->getArg(unsigned(place->from))))
    reads(pointees_[std::size_t(place->into)]);
}

/// What the result may point to, and what the call allocates or opens.
void CallEffects::resultEffects() {
  const FunctionModel &model = *call_.model;
  const auto newObject = [&](Object::Kind kind) {
    Object object;
    object.kind = kind;
    object.name = model.name;
    object.isStatic = true;
    object.isStream = isStream(call_.expr->getType(), *state_.context);
    return state_.addObject(object);
  };
  if (model.returns)
    state_.copy(call_.result, valueOf(*model.returns));
  for (const PointerPlace &from : model.within)
    state_.copy(call_.result, pointersOf(from));
  for (const int parameter : model.allocates) {
    const Var address = state_.addressOf(newObject(Object::Kind::Heap), 0);
    if (parameter == slicer::kResult)
      state_.copy(call_.result, address);
    else
      state_.store(pointees_[parameter], address);
  }
  if (model.form == FunctionModel::Form::Open) {
    call_.opened = newObject(Object::Kind::File);
    state_.store(pointees_.back(), state_.addressOf(call_.opened, 0));
  } else if (model.kind == FunctionModel::Kind::Io && !pointees_.empty()) {
    call_.file = call_.name == "MPI_File_close" ? state_.contentOf(pointees_[0]) : call_.values[0];
  } else if (asksOfFile(model, call_.name)) {
    call_.file = call_.values[0];
  }
}

/// The initial contents of new memory, from a parameter that the call does not read otherwise.
void CallEffects::copiedContents() {
  const FunctionModel &model = *call_.model;
  for (const auto &[to, from] : model.copies) {
    const bool isNew = to.parameter == slicer::kResult && to.global.empty() &&
                       model.allocates == std::vector<int>{slicer::kResult};
    if (!isNew || !model.isMadeAhead() || from.pointee || !from.global.empty() ||
        model.parameters[static_cast<std::size_t>(from.parameter)].reads)
      continue;
    Place copy;
    copy.pointer = call_.result;
    copy.inArray = true;
    call_.copied.push_back(pointees_[static_cast<std::size_t>(from.parameter)]);
    define(copy, kCopied);
  }
}

/// The pointers that the call stores and copies.
void CallEffects::pointerEffects() {
  for (const auto &[to, from] : call_.model->stores)
    if (!to.global.empty())
      state_.store(wholeOf(state_.globalObject(to.global)), pointersOf(from));
    else if (to.parameter != slicer::kResult)
      state_.store(pointees_[to.parameter], pointersOf(from));
  for (const auto &[to, from] : call_.model->copies) {
    Place place;
    place.pointer = pointersOf(to);
    state_.copyRecord(place, pointersOf(from), kEnd);
  }
}

/// What the library remembers from one call to the next.
void CallEffects::stateEffects() {
  const FunctionModel &model = *call_.model;
  std::vector<ObjectId> hidden;
  if (!model.state.empty())
    hidden.push_back(state_.stateObject(model.state));
  if (model.isStatic) {
    hidden.push_back(state_.stateObject("static of " + model.name));
    state_.copy(call_.result, state_.addressOf(hidden.back(), 0));
  }
  for (const std::string &name : model.globals)
    hidden.push_back(state_.globalObject(name));
  for (const ObjectId object : hidden) {
    if (!model.seeds)
      reads(wholeOf(object));
    if (!model.asks)
      define(wholeOf(object));
  }
  // The main thread hands over what they are after the call.
  for (const std::string &name : model.disturbed)
    define(wholeOf(state_.stateObject(name)));
  if (model.keeps && !model.state.empty()) {
    const Place kept = wholeOf(state_.stateObject(model.state));
    state_.store(kept, valueOf(*model.keeps));
    Place text;
    text.pointer = state_.contentOf(kept);
    text.inArray = true;
    state_.copy(call_.result, text.pointer);
    reads(text);
    define(text);
  }
}

void CallEffects::define(const Place &place, int argument, bool fillsArray) {
  state_.define(state_.program.groups[call_.group].node,
                {place, call_.group, id_, argument, fillsArray});
}

void CallEffects::reads(const Place &place) {
  if (place.object != kNone || place.pointer != kNone)
    call_.uses.push_back({place, call_.group, id_});
}

/// The value of a parameter of the model, which may be the result.
Var CallEffects::valueOf(int parameter) const {
  if (parameter == slicer::kResult)
    return call_.result;
  return parameter < static_cast<int>(call_.values.size()) ? call_.values[parameter] : kNone;
}

Var CallEffects::pointersOf(const PointerPlace &from) const {
  if (!from.global.empty())
    return state_.contentOf(wholeOf(state_.globalObject(from.global)));
  Place place;
  place.pointer = valueOf(from.parameter);
  return from.pointee ? state_.contentOf(place) : place.pointer;
}

/// The library calls a function of the program: another call, in the same group.
void CallEffects::callback(const FunctionModel::Callback &model) {
  Call made;
  made.expr = call_.expr;
  made.group = call_.group;
  made.caller = call_.caller;
  made.pointer = call_.values[model.function];
  made.isCallback = true;
  made.model = call_.model;
  made.resultUsed = true;
  made.result = state_.temporary();
  Var anything = kNone;
  for (const Var each : call_.values)
    if (each != made.pointer)
      anything = state_.join(anything, each);
  const std::size_t most = std::max<std::size_t>(model.arguments.size(), 8);
  for (std::size_t i = 0; i < most; ++i) {
    const int known = i < model.arguments.size() ? model.arguments[i].value_or(kNone) : kNone;
    const bool isThere = known >= 0 && known < static_cast<int>(call_.values.size());
    made.values.push_back(isThere ? call_.values[known] : anything);
    made.recordBits.push_back(0);
  }
  state_.program.groups[call_.group].calls.push_back(
      static_cast<CallId>(state_.program.calls.size()));
  state_.program.calls.push_back(std::move(made));
}

/// A library may give back later what it has been given: entries of a table, attributes, the
/// argument of a thread. All of it is one object, which also represents structures that it returns.
void CallEffects::keptPointers() {
  const Place kept = wholeOf(state_.stateObject("what libraries keep"));
  for (std::size_t i = 0; i < pointees_.size(); ++i) {
    if (!call_.model || call_.model->mayKeep(i)) {
      if (call_.recordBits[i] > 0)
        state_.copyRecord(kept, call_.values[i], call_.recordBits[i]);
      else
        state_.store(kept, call_.values[i]);
    }
    const QualType type =
        call_.expr->getArg(static_cast<unsigned>(i))->IgnoreParenCasts()->getType();
    const QualType to = type->getPointeeType();
    if (to.isNull() || !(to->isPointerType() || to->isRecordType()) ||
        (call_.model && !call_.model->mayChange(i)))
      continue;
    state_.store(pointees_[i], state_.addressOf(kept.object, 0));
    state_.store(pointees_[i], state_.contentOf(kept));
  }
  if (!call_.expr->getType()->isPointerType() || (call_.model && call_.model->tellsResult()))
    return;
  state_.copy(call_.result, state_.addressOf(kept.object, 0));
  state_.copy(call_.result, state_.contentOf(kept));
  if (isStream(call_.expr->getType(), *state_.context)) {
    const ObjectId stream = state_.stateObject("a stream that libraries keep");
    state_.program.objects[stream].isStream = true;
    state_.copy(call_.result, state_.addressOf(stream, 0));
  }
}

void CallEffects::ofUnknown() {
  Object object;
  object.kind = Object::Kind::Heap;
  object.name = call_.name;
  object.isStatic = true;
  object.isStream = isStream(call_.expr->getType(), *state_.context);
  state_.copy(call_.result, state_.addressOf(state_.addObject(object), 0));
  keptPointers();
  for (std::size_t i = 0; i < pointees_.size(); ++i) {
    if (call_.values[i] == kNone)
      continue;
    state_.copy(call_.result, call_.values[i]);
    const QualType type = call_.expr->getArg(i)->getType(), to = type->getPointeeType();
    Place written = pointees_[i];
    written.isStream = isStream(type, *state_.context);
    call_.uses.push_back({written, call_.group, id_});
    if (to.isNull() || to.isConstQualified() || to->isFunctionType())
      continue;
    written.inArray = true;
    define(written, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < call_.changes.size(); ++i) {
    Place global;
    global.object = state_.objectOf(call_.changes[i], kNone);
    define(global, static_cast<int>(call_.arguments.size() + i));
  }
}

} // namespace forerun::slicer
