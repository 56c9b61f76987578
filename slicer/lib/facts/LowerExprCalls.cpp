// SPDX-License-Identifier: Apache-2.0
#include "facts/IoCalls.h"
#include "facts/LowerExpr.h"

#include <algorithm>
#include <clang/AST/ExprCXX.h>

/// \file
/// LowerExpr's calls: of the program's own functions, of functions with a model, and of others.

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

/// Whether the call has as many arguments as the model: otherwise the model cannot be used.
bool fits(const FunctionModel *model, const CallExpr *call) {
  return model && model->parameters.size() == call->getNumArgs();
}

bool isStream(QualType type, const ASTContext &context) {
  const QualType to = type->getPointeeType(), stream = context.getFILEType();
  return !to.isNull() && !stream.isNull() && context.hasSameUnqualifiedType(to, stream);
}

/// One argument of the call, or what gives the function.
Group partOf(CallId call) {
  Group result;
  result.call = call;
  return result;
}

bool isNamedArray(const Expr *argument) {
  const auto *name = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
  return name && name->getType()->isConstantArrayType();
}

} // namespace

CallId LowerExpr::call(const CallExpr *expr) {
  Program &program = state_.program;
  const auto id = static_cast<CallId>(program.calls.size());
  program.calls.emplace_back();
  program.groups[group_].calls.push_back(id);
  if (++calls_ > 1)
    ordered();
  Call made;
  made.expr = expr;
  made.group = group_;
  made.caller = function_;
  made.isIgnored = state_.overrides.ignored.count(expr) > 0;
  made.isConditional = branch_.isEntered;
  made.isBound = branch_.isBound;
  if (!made.isBound)
    made.guards = branch_.guards;
  made.resultUsed = expr != unused_ && !expr->getType()->isVoidType();
  unused_ = nullptr;
  const FunctionDecl *callee = expr->getDirectCallee();
  std::set<std::string> choices;
  if (callee) {
    if (!isa<DeclRefExpr>(expr->getCallee()->IgnoreImpCasts())) // _Generic names more
      made.calleeGroup = inGroup(partOf(id), [&] { namesIn(expr->getCallee()); });
    made.name = callee->getNameAsString();
    const FunctionId body = state_.functionOf(callee);
    const bool isLeftOut = state_.frame && state_.frame->leavesOut(callee);
    if (isLeftOut)
      made.changes = state_.frame->changedBy(callee);
    made.model = state_.modelOf(callee);
    if (!made.model && body != kNone)
      made.callees.push_back(state_.calleeOf(body));
  } else {
    choices = throughPointer(made, id);
    made.isBound |= made.mayBeLibrary || !choices.empty();
  }
  made.result = state_.temporary();
  if (made.callees.size() == 1 &&
      state_.allocators.count(program.functions[made.callees[0]].definition) > 0)
    allocation(made);
  if (expr->getType()->isRecordType()) {
    Object object;
    object.name = "result of " + made.name;
    object.owner = function_;
    made.resultObject = state_.addObject(object);
  }
  std::vector<Place> pointees(expr->getNumArgs());
  for (unsigned i = 0; i < expr->getNumArgs(); ++i) {
    const Expr *arg = expr->getArg(i);
    made.recordBits.push_back(arg->getType()->isRecordType() ? state_.sizeOf(arg->getType()) : 0);
    made.values.push_back(argument(made, id, i, arg, pointees[i]));
  }
  const bool isDone = (callee && builtin(expr, callee)) || start(made, id, pointees);
  if (!isDone && made.model)
    libraryEffects(made, id, pointees);
  else if (!isDone && (callee || made.mayBeLibrary) && made.callees.empty())
    unknownEffects(made, id, pointees);
  for (const std::string &each : choices)
    made.choices.push_back(choice(made, id, each, pointees));
  program.calls[id] = std::move(made);
  return id;
}

void LowerExpr::allocation(Call &call) {
  Object memory;
  memory.kind = Object::Kind::Heap;
  memory.name = call.name;
  memory.isStatic = true;
  call.allocated = state_.addObject(memory);
  call.allocatedInside = state_.temporary();
  state_.copy(call.result, state_.addressOf(call.allocated, 0));
}

/// If the pointer can only point to one library function, the call is like one by name. Returns the
/// functions of MPI-IO, or of a library with a twin, that it may call besides others.
std::set<std::string> LowerExpr::throughPointer(Call &call, CallId id) {
  const Expr *callee = call.expr->getCallee();
  const QualType type = callee->getType()->getPointeeType();
  const Pointed::Callees *callees = type.isNull() ? nullptr : state_.pointed.callees(type);
  if (callees && !callees->only.empty() &&
      (callees->toldApart.empty() || fits(state_.models.find(callees->only), call.expr))) {
    value(callee);
    call.name = callees->only;
    call.model = state_.models.find(call.name);
    return {};
  }
  call.calleeGroup = inGroup(partOf(id), [&] { call.pointer = value(callee); });
  if (!callees)
    return {};
  std::set<std::string> choices;
  for (const std::string &each : callees->toldApart)
    if (fits(state_.models.find(each), call.expr))
      choices.insert(each);
  call.mayBeLibrary = choices.size() < callees->names.size();
  call.mayBeMainOnly = !callees->isCallable || choices.size() < callees->toldApart.size();
  return choices;
}

/// The call as one of that function of MPI-IO. None of its effects is certain.
CallId LowerExpr::choice(const Call &call, CallId id, const std::string &name,
                         std::vector<Place> pointees) {
  Program &program = state_.program;
  const auto result = static_cast<CallId>(program.calls.size());
  program.calls.emplace_back();
  program.groups[group_].calls.push_back(result);
  Call made = call;
  made.name = name;
  made.model = state_.models.find(name);
  made.pointer = kNone;
  made.mayBeLibrary = made.mayBeMainOnly = false;
  made.isConditional = made.isBound = true;
  made.choices.clear();
  made.choiceOf = id;
  made.uses.clear();
  for (Place &each : pointees)
    each.inArray = true;
  libraryEffects(made, result, pointees);
  program.calls[result] = std::move(made);
  return result;
}

/// Lowers an argument as a group of its own. `pointee` becomes the memory that it points to, as
/// precisely as the source shows.
Var LowerExpr::argument(Call &call, CallId id, unsigned index, const Expr *expr, Place &pointee) {
  Group group = partOf(id);
  group.argument = static_cast<int>(index);
  const Expr *plain = expr->IgnoreParenCasts();
  const auto *address = dyn_cast<UnaryOperator>(plain);
  Var result = kNone;
  call.arguments.push_back(inGroup(group, [&] {
    if (address && address->getOpcode() == UO_AddrOf &&
        !address->getSubExpr()->getType()->isFunctionType()) {
      pointee = place(address->getSubExpr());
      result = state_.addressOf(pointee);
    } else if (plain->getType()->isArrayType() && plain->isGLValue()) {
      pointee = place(plain);
      result = state_.addressOf(pointee);
    } else {
      result = expr->getType()->isRecordType() ? record(expr, true) : value(expr);
      pointee.pointer = result;
      pointee.inArray = true;
    }
  }));
  return result;
}

bool LowerExpr::builtin(const CallExpr *expr, const FunctionDecl *callee) {
  const unsigned kind = callee->getBuiltinID();
  const auto list = [&](unsigned i) {
    const Expr *given = expr->getArg(i)->IgnoreParens();
    const Expr *plain = given->IgnoreParenImpCasts();
    return argumentList(plain->getType()->isArrayType() ? plain : given);
  };
  if (kind == Builtin::BI__builtin_va_start) {
    const ObjectId rest = state_.program.functions[function_].variadic;
    const Place to = list(0);
    if (rest != kNone)
      state_.store(to, state_.addressOf(rest, 0));
    define(to);
    return true;
  }
  if (kind == Builtin::BI__builtin_va_copy) {
    const Place to = list(0), from = list(1);
    use(from);
    state_.store(to, state_.contentOf(from));
    define(to);
    return true;
  }
  return kind == Builtin::BI__builtin_va_end;
}

/// The standard lets MPI_Init change argc and argv; no implementation does. So MPI_Init_thread only
/// writes the level that it gives.
bool LowerExpr::start(Call &call, CallId id, const std::vector<Place> &pointees) {
  if (!startsMpi(call.name))
    return false;
  const unsigned kProvided = 3;
  if (call.model && pointees.size() > kProvided)
    define(pointees[kProvided], id, static_cast<int>(kProvided));
  return true;
}

void LowerExpr::libraryEffects(Call &call, CallId id, const std::vector<Place> &pointees) {
  argumentEffects(call, id, pointees);
  if (call.model->kind == FunctionModel::Kind::Forward ||
      call.model->kind == FunctionModel::Kind::Visible)
    keptPointers(call, pointees);
  resultEffects(call, pointees);
  copiedContents(call, id, pointees);
  pointerEffects(call, pointees);
  stateEffects(call, id);
  for (const FunctionModel::Callback &each : call.model->callbacks)
    callback(call, each);
}

/// What the call reads and writes through its arguments.
void LowerExpr::argumentEffects(Call &call, CallId id, const std::vector<Place> &pointees) {
  const FunctionModel &model = *call.model;
  for (std::size_t i = 0; i < pointees.size(); ++i) {
    const ParameterModel *parameter = model.parameter(i);
    if (!parameter)
      continue;
    const int number = static_cast<int>(i);
    Place pointee = pointees[i];
    pointee.isStream =
        parameter->name == "stream" ||
        isStream(call.expr->getArg(unsigned(i))->IgnoreParenCasts()->getType(), *state_.context);
    if (parameter->reads)
      libraryReads(call, id, pointee);
    // An array of buffers (H5Dread_multi) is only read; the buffers' contents are filled, not read.
    const bool areFilled = parameter->deep && model.announces == number;
    if (parameter->writes && !areFilled) {
      Place written = pointee;
      written.inArray |= !parameter->must;
      define(written, id, number,
             isRead(call) && call.choiceOf == kNone &&
                 isNamedArray(call.expr->getArg(static_cast<unsigned>(i))));
    }
    if (parameter->deep && call.values[i] != kNone) {
      Place below;
      below.pointer = state_.contentOf(pointees[i]);
      below.inArray = true;
      if (!areFilled)
        libraryReads(call, id, below);
      if (parameter->writes)
        define(below, id, number);
    }
  }
  if (storesCount(call))
    for (std::size_t i = model.parameters.size(); i < pointees.size(); ++i)
      if (call.expr->getArg(static_cast<unsigned>(i))->getType()->isPointerType())
        define(pointees[i], id, static_cast<int>(i));
  if (const auto place = model.inPlace; place && pointees.size() == model.parameters.size() &&
                                        mayBeInPlace(call.expr->getArg(unsigned(place->from))))
    libraryReads(call, id, pointees[std::size_t(place->into)]);
}

/// What the result may point to, and what the call allocates or opens.
void LowerExpr::resultEffects(Call &call, const std::vector<Place> &pointees) {
  const FunctionModel &model = *call.model;
  const auto newObject = [&](Object::Kind kind) {
    Object object;
    object.kind = kind;
    object.name = model.name;
    object.isStatic = true;
    object.isStream = isStream(call.expr->getType(), *state_.context);
    return state_.addObject(object);
  };
  if (model.returns)
    state_.copy(call.result, valueOf(call, *model.returns));
  for (const PointerPlace &from : model.within)
    state_.copy(call.result, pointersOf(call, from));
  for (const int parameter : model.allocates) {
    const Var address = state_.addressOf(newObject(Object::Kind::Heap), 0);
    if (parameter == slicer::kResult)
      state_.copy(call.result, address);
    else
      state_.store(pointees[parameter], address);
  }
  if (model.form == FunctionModel::Form::Open) {
    call.opened = newObject(Object::Kind::File);
    state_.store(pointees.back(), state_.addressOf(call.opened, 0));
  } else if (model.kind == FunctionModel::Kind::Io && !pointees.empty()) {
    call.file = call.name == "MPI_File_close" ? state_.contentOf(pointees[0]) : call.values[0];
  } else if (asksOfFile(model, call.name)) {
    call.file = call.values[0];
  }
}

/// The initial contents of new memory, from a parameter that the call does not read otherwise.
void LowerExpr::copiedContents(Call &call, CallId id, const std::vector<Place> &pointees) {
  const FunctionModel &model = *call.model;
  for (const auto &[to, from] : model.copies) {
    const bool isNew = to.parameter == slicer::kResult && to.global.empty() &&
                       model.allocates == std::vector<int>{slicer::kResult};
    if (!isNew || !model.isMadeAhead() || from.pointee || !from.global.empty() ||
        model.parameters[static_cast<std::size_t>(from.parameter)].reads)
      continue;
    Place copy;
    copy.pointer = call.result;
    copy.inArray = true;
    call.copied.push_back(pointees[static_cast<std::size_t>(from.parameter)]);
    define(copy, id, kCopied);
  }
}

/// The pointers that the call stores and copies.
void LowerExpr::pointerEffects(Call &call, const std::vector<Place> &pointees) {
  for (const auto &[to, from] : call.model->stores)
    if (!to.global.empty())
      state_.store(wholeOf(state_.globalObject(to.global)), pointersOf(call, from));
    else if (to.parameter != slicer::kResult)
      state_.store(pointees[to.parameter], pointersOf(call, from));
  for (const auto &[to, from] : call.model->copies) {
    Place place;
    place.pointer = pointersOf(call, to);
    state_.copyRecord(place, pointersOf(call, from), kEnd);
  }
}

/// What the library remembers from one call to the next.
void LowerExpr::stateEffects(Call &call, CallId id) {
  const FunctionModel &model = *call.model;
  std::vector<ObjectId> hidden;
  if (!model.state.empty())
    hidden.push_back(state_.stateObject(model.state));
  if (model.isStatic) {
    hidden.push_back(state_.stateObject("static of " + model.name));
    state_.copy(call.result, state_.addressOf(hidden.back(), 0));
  }
  for (const std::string &name : model.globals)
    hidden.push_back(state_.globalObject(name));
  for (const ObjectId object : hidden) {
    if (!model.seeds)
      libraryReads(call, id, wholeOf(object));
    if (!model.asks)
      define(wholeOf(object), id);
  }
  // The main thread hands over what they are after the call.
  for (const std::string &name : model.disturbed)
    define(wholeOf(state_.stateObject(name)), id);
  if (model.keeps && !model.state.empty()) {
    const Place kept = wholeOf(state_.stateObject(model.state));
    state_.store(kept, valueOf(call, *model.keeps));
    Place text;
    text.pointer = state_.contentOf(kept);
    text.inArray = true;
    state_.copy(call.result, text.pointer);
    libraryReads(call, id, text);
    define(text, id);
  }
}

void LowerExpr::libraryReads(Call &call, CallId id, const Place &place) {
  if (place.object != kNone || place.pointer != kNone)
    call.uses.push_back({place, group_, id});
}

/// The value of a parameter of the model, which may be the result.
Var LowerExpr::valueOf(const Call &call, int parameter) {
  if (parameter == slicer::kResult)
    return call.result;
  return parameter < static_cast<int>(call.values.size()) ? call.values[parameter] : kNone;
}

Var LowerExpr::pointersOf(const Call &call, const PointerPlace &from) {
  if (!from.global.empty())
    return state_.contentOf(wholeOf(state_.globalObject(from.global)));
  Place place;
  place.pointer = valueOf(call, from.parameter);
  return from.pointee ? state_.contentOf(place) : place.pointer;
}

/// The library calls a function of the program: another call, in the same group.
void LowerExpr::callback(const Call &call, const FunctionModel::Callback &model) {
  Call made;
  made.expr = call.expr;
  made.group = group_;
  made.caller = function_;
  made.pointer = call.values[model.function];
  made.isCallback = true;
  made.model = call.model;
  made.resultUsed = true;
  made.result = state_.temporary();
  Var anything = kNone;
  for (const Var each : call.values)
    if (each != made.pointer)
      anything = state_.join(anything, each);
  const std::size_t most = std::max<std::size_t>(model.arguments.size(), 8);
  for (std::size_t i = 0; i < most; ++i) {
    const int known = i < model.arguments.size() ? model.arguments[i].value_or(kNone) : kNone;
    const bool isThere = known >= 0 && known < static_cast<int>(call.values.size());
    made.values.push_back(isThere ? call.values[known] : anything);
    made.recordBits.push_back(0);
  }
  state_.program.groups[group_].calls.push_back(static_cast<CallId>(state_.program.calls.size()));
  state_.program.calls.push_back(std::move(made));
}

/// A library may give back later what it has been given: entries of a table, attributes, the
/// argument of a thread. All of it is one object, which also represents structures that it returns.
void LowerExpr::keptPointers(const Call &call, const std::vector<Place> &pointees) {
  const Place kept = wholeOf(state_.stateObject("what libraries keep"));
  for (std::size_t i = 0; i < pointees.size(); ++i) {
    if (!call.model || call.model->mayKeep(i)) {
      if (call.recordBits[i] > 0)
        state_.copyRecord(kept, call.values[i], call.recordBits[i]);
      else
        state_.store(kept, call.values[i]);
    }
    const QualType type =
        call.expr->getArg(static_cast<unsigned>(i))->IgnoreParenCasts()->getType();
    const QualType to = type->getPointeeType();
    if (to.isNull() || !(to->isPointerType() || to->isRecordType()) ||
        (call.model && !call.model->mayChange(i)))
      continue;
    state_.store(pointees[i], state_.addressOf(kept.object, 0));
    state_.store(pointees[i], state_.contentOf(kept));
  }
  if (!call.expr->getType()->isPointerType() || (call.model && call.model->tellsResult()))
    return;
  state_.copy(call.result, state_.addressOf(kept.object, 0));
  state_.copy(call.result, state_.contentOf(kept));
  if (isStream(call.expr->getType(), *state_.context)) {
    const ObjectId stream = state_.stateObject("a stream that libraries keep");
    state_.program.objects[stream].isStream = true;
    state_.copy(call.result, state_.addressOf(stream, 0));
  }
}

/// A function without body and model may read and change whatever its arguments point to, and
/// return something of its own or of theirs.
void LowerExpr::unknownEffects(Call &call, CallId id, const std::vector<Place> &pointees) {
  Object object;
  object.kind = Object::Kind::Heap;
  object.name = call.name;
  object.isStatic = true;
  object.isStream = isStream(call.expr->getType(), *state_.context);
  state_.copy(call.result, state_.addressOf(state_.addObject(object), 0));
  keptPointers(call, pointees);
  for (std::size_t i = 0; i < pointees.size(); ++i) {
    if (call.values[i] == kNone)
      continue;
    state_.copy(call.result, call.values[i]);
    const QualType type = call.expr->getArg(i)->getType(), to = type->getPointeeType();
    Place written = pointees[i];
    written.isStream = isStream(type, *state_.context);
    call.uses.push_back({written, group_, id});
    if (to.isNull() || to.isConstQualified() || to->isFunctionType())
      continue;
    written.inArray = true;
    define(written, id, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < call.changes.size(); ++i) {
    Place global;
    global.object = state_.objectOf(call.changes[i], kNone);
    define(global, id, static_cast<int>(call.arguments.size() + i));
  }
}

} // namespace forerun::slicer
