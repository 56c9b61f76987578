// SPDX-License-Identifier: Apache-2.0
#include "analysis/OrderedReads.h"
#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "input/Places.h"
#include "models/Ids.h"
#include "slice/plan/PlanOutput.h"
#include "slice/plan/Planner.h"
#include "slice/plan/Receives.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <tuple>
#include <utility>

namespace forerun::slicer {

using Form = FunctionModel::Form;
using IoForm = CallPlan::Io::Form;
using Kind = FunctionModel::Kind;

namespace {

/// For a call that lets control come from elsewhere than the text says: what is done about it.
/// Otherwise null.
const char *notFollowed(llvm::StringRef call) {
  return llvm::StringSwitch<const char *>(call)
      .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
             "a jump back to here is left out: pre-execution ends where the program would jump")
      .Cases("signal", "bsd_signal", "sigset", "sigaction",
             "the handler is left out: pre-execution continues as if no signal arrived")
      .Default(nullptr);
}

/// Whether a seek may be relative to the end of the file: MPI_SEEK_SET and MPI_SEEK_CUR, as macros
/// of MPI's, are not.
bool mayBeFromEnd(const Program &program, const Call &call) {
  const IoArguments *at = ioArguments(call.name);
  const auto begin = call.expr->getArg(static_cast<unsigned>(at->whence))->getBeginLoc();
  if (!begin.isMacroID())
    return true;
  const clang::ASTContext &ast = contextOf(program, call);
  const auto name =
      clang::Lexer::getImmediateMacroName(begin, ast.getSourceManager(), ast.getLangOpts());
  return name != "MPI_SEEK_SET" && name != "MPI_SEEK_CUR";
}

class CallPlanner : Planner {
public:
  explicit CallPlanner(const Planner &shared)
      : Planner(shared), receives_(shared), areOrderedReadsAlike_(areOrderedReadsAlike(program_)) {}

  void planAll() {
    for (const CallId each : ids(program_.calls))
      plan(each);
  }

  void noteAllUndecided() const {
    for (const Call &call : program_.calls)
      for (const ObjectId each : pointsTo_.targets(call.pointer))
        if (const Object &object = program_.objects[each];
            object.kind == Object::Kind::Function && object.function == kNone && !call.isCallback &&
            ioArguments(object.name) && !isChoice(call, object.name))
          note(call, "not prefetched: the pointer may be one to " + object.name +
                         ", but has another type");
  }

private:
  bool isChoice(const Call &call, const std::string &name) const {
    return llvm::any_of(call.choices,
                        [&](CallId each) { return program_.calls[each].name == name; });
  }

  void plan(CallId id) {
    const Call &call = program_.calls[id];
    if (call.isCallback || call.caller == 0 || call.choiceOf != kNone ||
        !closure_.speaksForAll(call.caller))
      return;
    if (startsMpi(call.name) && call.callees.empty()) // else it is the program's own
      slice_.inits.insert(call.expr);
    if (const char *why = notFollowed(call.name); why && call.callees.empty())
      note(call, why);
    if (!closure_.isCalled(id) || !isRun(id))
      return;
    CallPlan plan{decided(id)};
    for (const CallId each : call.choices)
      if (plan.is<CallPlan::Choose>())
        plan.choices.push_back({program_.calls[each].name, decided(each)});
    if (closure_.isUnwritable(call) && (hasSite(call, plan) || plan.is<CallPlan::Clone>()))
      plan.action = end(call, "no text can be written for " + call.name);
    plan.movesGenerators = plan.isIo() && movesGenerators(id);
    for (const GroupId each : call.arguments)
      plan.kept.push_back(closure_.isActive(each));
    if (hasSite(call, plan))
      plan.site = siteOf(call);
    slice_.plans[call.expr] = std::move(plan);
  }

  void note(const Call &call, std::string text) const {
    Planner::note(call.expr, call.caller, std::move(text));
  }

  /// Whether the pre-execution thread makes the call, or a macro makes it together with such calls.
  bool isRun(CallId id) const {
    const Call &call = program_.calls[id];
    const auto isCriterion = [&](CallId each) { return closure_.criteria().has(each); };
    return call.caller == program_.main || closure_.hasClone(call.caller) || isCriterion(id) ||
           llvm::any_of(call.choices, isCriterion);
  }

  static bool hasSite(const Call &call, const CallPlan &plan) {
    return plan.isIo() || plan.is<CallPlan::Receive>() ||
           (plan.is<CallPlan::StandIn>() && call.awaitsOpen()) ||
           (plan.is<CallPlan::Twin>() && call.isTwinSite());
  }

  CallPlan::Action decided(CallId id) {
    const Call &call = program_.calls[id];
    if (endsProgram(call))
      return CallPlan::Exit{};
    if (!call.choices.empty()) // the function of MPI-IO is known only when the call is made
      return CallPlan::Choose{.orClone = !call.callees.empty() && !mayBeMainOnly(call)};
    if (mayBeMainOnly(call))
      return end(call, "the pointer may point to a function that only the main thread can call");
    if (!call.callees.empty() || call.pointer != kNone)
      return CallPlan::Clone{closure_.leanCalls().contains(id)};
    if (call.isForwarded())
      return receive(id);
    const FunctionModel &model = *call.model;
    if (model.kind == Kind::Pure)
      return CallPlan::Direct{written(model)};
    if (model.kind == Kind::Io)
      return io(id);
    if (model.kind == Kind::Twin)
      return CallPlan::Twin{call.name, model.awaits, model.dirties, written(model)};
    slice_.libraryVariables.insert(model.globals.begin(), model.globals.end());
    return CallPlan::StandIn{model.standIn};
  }

  bool endsProgram(const Call &call) const {
    if (call.model)
      return call.model->kind == Kind::NoReturn;
    return call.pointer == kNone && call.callees.size() == 1 && closure_.isEnd(call.callees[0]);
  }

  /// Whether a call through a pointer may call a library function that has no stand-in.
  bool isLibrary(const Call &call) const {
    const auto targets = pointsTo_.targets(call.pointer);
    return targets.empty() || llvm::any_of(targets, [&](ObjectId each) {
             const Object &object = program_.objects[each];
             return object.kind == Object::Kind::Function && object.function == kNone &&
                    !program_.hasStandIn(object);
           });
  }

  /// Whether a call through a pointer may call a function that only the main thread can call, apart
  /// from those that are distinguished when it is made (`choices`).
  bool mayBeMainOnly(const Call &call) const {
    return (call.mayBeMainOnly && isLibrary(call)) ||
           llvm::any_of(pointsTo_.targets(call.pointer), [&](ObjectId each) {
             const Object &object = program_.objects[each];
             return object.kind == Object::Kind::Function && object.function == kNone &&
                    program_.mainOnly.contains(object.name) && !isChoice(call, object.name);
           });
  }

  CallPlan::Action end(const Call &call, const std::string &why) {
    noteEnd(call.expr, call.caller, why);
    return CallPlan::Exit{.isUnable = true};
  }

  CallPlan::Action receive(CallId id) {
    const Call &call = program_.calls[id];
    auto plan = receives_.plan(id);
    if (!plan)
      return end(call, "what " + call.name + " returns cannot be forwarded" +
                           (call.model || program_.mainOnly.contains(call.name)
                                ? ""
                                : ", and its source is not analysed"));
    if (plan->forwarded.empty() && !plan->completes)
      return CallPlan::Gone{};
    const bool isLocal = plan->exchange && plan->exchange->isLocal;
    const bool isExchanged = plan->exchange && !isLocal;
    slice_.exchanges |= isExchanged;
    slice_.takesDatatypes |= llvm::any_of(plan->forwarded, [](const Forwarded &each) {
      return each.size == Forwarded::Size::Datatype;
    });
    note(call, std::string(isExchanged ? "exchanged among the pre-execution threads: what "
                           : isLocal   ? "known to the pre-execution thread: what "
                                       : "forwarded: what ") +
                   call.name + " gives");
    return std::move(*plan);
  }

  /// A read's buffer is not listed: the twin itself finds out how much it reads into it.
  static std::vector<CallPlan::Written> written(const FunctionModel &model) {
    std::vector<CallPlan::Written> result;
    for (int i = 0; i < static_cast<int>(model.parameters.size()); ++i) {
      if (!model.parameters[i].writes || model.announces == i)
        continue;
      const auto length = std::find_if(model.lengths.begin(), model.lengths.end(),
                                       [i](const auto &each) { return each.array == i; });
      result.push_back({i, length == model.lengths.end() ? -1 : length->count});
    }
    return result;
  }

  bool movesGenerators(CallId id) const {
    const Call &call = program_.calls[id];
    return (call.movesGenerators() && closure_.needsOutput(id, kNone)) ||
           llvm::any_of(call.choices, [&](CallId each) { return movesGenerators(each); });
  }

  CallPlan::Action io(CallId id) {
    const Call &call = program_.calls[id];
    const IoArguments *at = ioArguments(call.name);
    const bool isFetched = closure_.needsAnyOutput(id);
    const auto form = formOf(call, isFetched);
    if (!form)
      return sharedIo(call, isFetched);
    return CallPlan::Io{.function = call.name,
                        .form = *form,
                        .countOnly = at && at->status >= 0 && !closure_.needsOutput(id, at->buffer),
                        .isFromEnd = form == IoForm::Seek && call.expr->getDirectCallee() &&
                                     mayBeFromEnd(program_, call)};
  }

  /// An ignored read moves the file pointer, as a write does, but is not announced. Empty: the call uses
  /// the shared file pointer.
  static std::optional<IoForm> formOf(const Call &call, bool isFetched) {
    switch (call.model->form) {
    case Form::Open:
      return IoForm::Open;
    case Form::ReadAt:
      return isFetched ? IoForm::FetchAt : call.isIgnored ? IoForm::WriteAt : IoForm::ReadAt;
    case Form::Read:
      return isFetched ? IoForm::Fetch : call.isIgnored ? IoForm::Write : IoForm::Read;
    case Form::WriteAt:
      return IoForm::WriteAt;
    case Form::Write:
      return IoForm::Write;
    case Form::Seek:
      return IoForm::Seek;
    case Form::View:
      return IoForm::View;
    case Form::Sync:
      return isFetched ? IoForm::Close : IoForm::Sync;
    default:
      return std::nullopt;
    }
  }

  /// In general, the position of the shared file pointer depends on what the other processes do.
  CallPlan::Action sharedIo(const Call &call, bool isFetched) {
    if (call.model->form == Form::ReadShared && !call.isIgnored && areOrderedReadsAlike_) {
      note(call, "prefetched assuming that all processes read the same amount in " + call.name);
      return CallPlan::Io{call.name, isFetched ? IoForm::FetchOrdered : IoForm::ReadOrdered};
    }
    note(call, "not prefetched: " + call.name + " uses the shared file pointer");
    if (isFetched)
      return CallPlan::Exit{.isUnable = true};
    return CallPlan::Gone{};
  }

  /// Calls that a macro makes from the same text share one site, and so do the calls of one function
  /// in a use of a macro: there may be only one place for all of them where the main thread's can be
  /// edited (MainThread.cpp).
  int siteOf(const Call &call) {
    const clang::ASTContext &ast = contextOf(program_, call);
    const auto place = placeOf(call.expr, ast);
    const auto use = useAround(call.expr, ast);
    const bool isInMacro = place && place->inMacro;
    if (!isInMacro && !use)
      return slice_.sites++;
    const Stretch &shared = isInMacro ? place->call : *use;
    const auto key = std::tuple(&ast, shared, isInMacro ? "" : call.name);
    const auto [known, isNew] = macroSites_.try_emplace(key, slice_.sites);
    slice_.sites += isNew;
    return known->second;
  }

  const Receives receives_;
  const bool areOrderedReadsAlike_;
  std::map<std::tuple<const clang::ASTContext *, Stretch, std::string>, int> macroSites_;
};

} // namespace

void noteUndecided(const Planner &shared) { CallPlanner(shared).noteAllUndecided(); }

void planCalls(const Planner &shared) { CallPlanner(shared).planAll(); }

} // namespace forerun::slicer
