// SPDX-License-Identifier: Apache-2.0
#include "facts/CallEffects.h"
#include "facts/IoCalls.h"
#include "facts/LowerExpr.h"

#include <algorithm>
#include <clang/AST/ExprCXX.h>

/// \file
/// LowerExpr's calls: their arguments, and which functions they may call.

namespace forerun::slicer {

using namespace clang;

namespace {

/// Whether the call has as many arguments as the model: otherwise the model cannot be used.
bool fits(const FunctionModel *model, const CallExpr *call) {
  return model && model->parameters.size() == call->getNumArgs();
}

/// One argument of the call, or what gives the function.
Group partOf(CallId call) {
  Group result;
  result.call = call;
  return result;
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
    CallEffects(state_, made, id, pointees).ofLibrary();
  else if (!isDone && (callee || made.mayBeLibrary) && made.callees.empty())
    CallEffects(state_, made, id, pointees).ofUnknown();
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
  CallEffects(state_, made, result, pointees).ofLibrary();
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

} // namespace forerun::slicer
