// SPDX-License-Identifier: Apache-2.0
#include "slice/Plan.h"

#include "analysis/Requests.h"
#include "facts/IoCalls.h"
#include "input/Places.h"
#include "models/Ids.h"
#include "slice/PlanOrdered.h"
#include "slice/PlanOutput.h"

#include <algorithm>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringSwitch.h>
#include <optional>

namespace forerun::slicer {

using Action = CallPlan::Action;
using Form = FunctionModel::Form;
using Io = CallPlan::Io;
using Kind = FunctionModel::Kind;

namespace {

/// Of calls by which control comes from elsewhere than the text says; null: it is none.
const char *notFollowed(llvm::StringRef call) {
  return llvm::StringSwitch<const char *>(call)
      .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
             "a jump back to here is left out: pre-execution ends where the program would jump")
      .Cases("signal", "bsd_signal", "sigset", "sigaction",
             "the handler is left out: pre-execution goes on as if no signal came")
      .Default(nullptr);
}

class Planner {
public:
  Planner(const Program &program, const Effects &effects, const Closure &closure,
          std::vector<Note> &notes)
      : program_(program), effects_(effects), closure_(closure), notes_(notes) {}

  Slice make() {
    if (program_.main == kNone || closure_.criteria().calls.empty())
      return {};
    slice_.main = program_.functions[program_.main].definition;
    slice_.clones.insert(slice_.main);
    slice_.standIns = program_.standIns;
    for (const FunctionId id : ids(program_.functions))
      if (closure_.hasClone(id))
        slice_.clones.insert(program_.functions[id].definition);
    findAsked();
    for (const NodeId id : ids(program_.nodes))
      statement(id);
    findStarts();
    areOrderedReadsAlike_ = areOrderedReadsAlike(program_);
    for (const CallId id : ids(program_.calls))
      call(id);
    for (const GroupId id : ids(program_.groups))
      if (closure_.isActive(id)) {
        for (const clang::VarDecl *each : program_.groups[id].names)
          local(each);
        for (const clang::Stmt *each : program_.groups[id].blocks)
          block(each);
      }
    findPrivates();
    return std::move(slice_);
  }

private:
  void statement(NodeId id) {
    const Node &node = program_.nodes[id];
    if (node.function == 0 || node.group == kNone || !closure_.isPresent(id))
      return;
    const bool isWhole = closure_.isActive(node.group);
    if (node.kind == Node::Kind::HandedOver) {
      slice_.handedOver[node.stmt].push_back(
          {node.variable, slice_.sites++, program_.functions[node.function].definition});
      notes_.push_back(
          {node.stmt, node.function, "forwarded behind this: " + node.variable->getNameAsString()});
      return;
    }
    if (node.kind == Node::Kind::Initialiser) {
      const clang::VarDecl *variable = node.variable->getCanonicalDecl();
      if (isWhole)
        slice_.locals.insert(variable);
      if (isWhole && node.variable->getInit())
        slice_.initialisers.insert(variable);
      else if (!isWhole)
        slice_.extractedInits[variable] = callsIn(id);
      return;
    }
    if (!node.stmt)
      return;
    slice_.statements.insert(node.stmt);
    if (node.kind == Node::Kind::Return) {
      if (!hasValue(node))
        slice_.bareReturns.insert(node.stmt);
      if (!isWhole && !hasValue(node))
        slice_.extracts[node.stmt] = callsIn(id);
    } else if (!isWhole) {
      slice_.extracts[node.stmt] = callsIn(id);
    }
  }

  void local(const clang::VarDecl *variable) {
    if (variable->hasGlobalStorage() && !variable->isStaticLocal())
      return;
    slice_.locals.insert(variable);
    if (variable->isStaticLocal() && variable->getInit())
      slice_.initialisers.insert(variable);
  }

  /// ({ ... }) is kept whole.
  void block(const clang::Stmt *stmt) {
    slice_.statements.insert(stmt);
    if (const auto *declaration = clang::dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *each : declaration->decls())
        if (const auto *variable = clang::dyn_cast<clang::VarDecl>(each)) {
          slice_.locals.insert(variable);
          if (variable->getInit())
            slice_.initialisers.insert(variable);
        }
    for (const clang::Stmt *child : stmt->children())
      if (child)
        block(child);
  }

  /// By the pre-execution thread; or a macro makes it together with calls that are.
  bool isRun(CallId id) const {
    const FunctionId caller = program_.calls[id].caller;
    return caller == program_.main || closure_.hasClone(caller) || closure_.criteria().has(id);
  }

  /// Its clone can have one more parameter: whoever calls it does so by its name.
  bool canBeAsked(FunctionId function) const {
    return function != program_.main && closure_.hasClone(function) &&
           program_.functions[function].definition->hasPrototype() &&
           std::none_of(program_.objects.begin(), program_.objects.end(),
                        [&](const Object &each) { return each.function == function; });
  }

  void findAsked() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const CallId id : ids(program_.calls)) {
        const Call &call = program_.calls[id];
        const bool isSource =
            isRead(call) || (call.callees.size() == 1 && isAsked(call.callees[0]));
        if (isSource && closure_.needOf(id) == Need::Callers && !isAsked(call.caller) &&
            canBeAsked(call.caller)) {
          slice_.asked.insert(program_.functions[call.caller].definition);
          changed = true;
        }
      }
    }
  }

  bool isAsked(FunctionId function) const {
    return slice_.asked.count(program_.functions[function].definition) > 0;
  }

  CallPlan::Bytes bytesOf(CallId id) const {
    switch (closure_.needOf(id)) {
    case Need::None:
      return CallPlan::Bytes::NotNeeded;
    case Need::Callers:
      return isAsked(program_.calls[id].caller) && !program_.calls[id].isIgnored
                 ? CallPlan::Bytes::AsAsked
                 : CallPlan::Bytes::Needed;
    case Need::Own:
      break;
    }
    return CallPlan::Bytes::Needed;
  }

  /// Those that run, though what they stand in does not; in the order of evaluation.
  std::vector<const clang::CallExpr *> callsIn(NodeId node) const {
    std::vector<const clang::CallExpr *> result;
    for (CallId id = static_cast<CallId>(program_.calls.size()) - 1; id >= 0; --id) {
      const Call &call = program_.calls[id];
      if (program_.groups[call.group].node == node && closure_.isCalled(id) &&
          !closure_.isActive(call.group) && !call.isCallback)
        result.push_back(call.expr);
    }
    return result;
  }

  bool hasValue(const Node &node) const {
    for (GroupId id = node.group + 1; id < static_cast<GroupId>(program_.groups.size()); ++id) {
      if (&program_.nodes[program_.groups[id].node] != &node)
        return false;
      if (program_.groups[id].isReturnValue)
        return closure_.isActive(id);
    }
    return false;
  }

  /// Whether there is anything that calls which complete requests have to hand over.
  void findStarts() {
    for (const CallId id : ids(program_.calls)) {
      const Call &call = program_.calls[id];
      for (const int i : ids(call.arguments))
        hasStarts_ |= isLater(call, i) && closure_.needsOutput(id, i);
      areFreed_ |= call.name == "MPI_Request_free"; // who is to say that it has completed?
    }
  }

  std::optional<Forwarded> output(CallId id, int index) const {
    const Call &call = program_.calls[id];
    if (!isLater(call, index)) {
      auto result = outputOf(call, index, contextOf(call));
      if (result && result->size == Forwarded::Size::Communicator && !closure_.hasExchanges())
        result->size = Forwarded::Size::Pointee;
      return result;
    }
    if (areFreed_ || completionsOf(program_, effects_.pointsTo(), id).empty())
      return std::nullopt;
    return outputLater(call, index, contextOf(call));
  }

  bool endsProgram(const Call &call) const {
    if (call.model)
      return call.model->kind == Kind::NoReturn;
    return call.pointer == kNone && call.callees.size() == 1 && closure_.isEnd(call.callees[0]);
  }

  void call(CallId id) {
    const Call &call = program_.calls[id];
    if (call.isCallback || call.caller == 0)
      return;
    if (startsMpi(call.name) && call.callees.empty()) // else it is the program's own
      slice_.inits.insert(call.expr);
    if (call.mayBeIo && isLibrary(call))
      notes_.push_back({call.expr, call.caller,
                        "not announced: a pointer to one of several functions of MPI-IO"});
    if (const char *why = notFollowed(call.name); why && call.callees.empty())
      notes_.push_back({call.expr, call.caller, why});
    if (!closure_.isCalled(id) || !isRun(id))
      return;
    CallPlan plan;
    bool isSited = false;
    if (endsProgram(call))
      plan.action = Action::Exit;
    else if (call.mayBeMainOnly && isLibrary(call))
      end(call, plan, "the pointer may be one to a function that only the main thread can call");
    else if (!call.callees.empty() || call.pointer != kNone)
      plan.action = Action::Clone;
    else if (!call.model || call.model->kind == Kind::Forward || call.model->kind == Kind::Visible)
      receive(id, plan);
    else if (call.model->kind == Kind::Pure)
      plan.action = Action::Direct;
    else if (call.model->kind == Kind::Io)
      io(id, plan);
    else {
      plan.action = Action::StandIn;
      plan.name = call.model->standIn;
      slice_.libraryVariables.insert(call.model->globals.begin(), call.model->globals.end());
      isSited = plan.name == "forerun_pre_fopen";
    }
    plan.bytes = bytesOf(id);
    for (const GroupId each : call.arguments)
      plan.kept.push_back(closure_.isActive(each));
    if (plan.action == Action::Io || plan.action == Action::Receive || isSited)
      plan.site = siteOf(call);
    slice_.plans[call.expr] = plan;
  }

  const clang::ASTContext &contextOf(const Call &call) const {
    return program_.functions[call.caller].definition->getASTContext();
  }

  /// Calls that a macro makes from the same text share its site.
  int siteOf(const Call &call) {
    const auto place = placeOf(call.expr, contextOf(call));
    if (!place || !place->inMacro)
      return slice_.sites++;
    const auto key =
        std::pair(&contextOf(call), std::pair(place->call.file.getHashValue(), place->call.begin));
    const auto [known, isNew] = macroSites_.try_emplace(key, slice_.sites);
    slice_.sites += isNew;
    return known->second;
  }

  void io(CallId id, CallPlan &plan) {
    const Call &call = program_.calls[id];
    plan.name = call.name;
    const bool isFetched = closure_.needsAnyOutput(id);
    plan.action = Action::Io;
    // What is ignored moves the file pointer as a write does, and nothing is announced.
    switch (call.model->form) {
    case Form::Open:
      plan.io = Io::Open;
      break;
    case Form::ReadAt:
      plan.io = isFetched ? Io::FetchAt : call.isIgnored ? Io::WriteAt : Io::ReadAt;
      break;
    case Form::Read:
      plan.io = isFetched ? Io::Fetch : call.isIgnored ? Io::Write : Io::Read;
      break;
    case Form::WriteAt:
      plan.io = Io::WriteAt;
      break;
    case Form::Write:
      plan.io = Io::Write;
      break;
    case Form::Seek:
      plan.io = Io::Seek;
      break;
    case Form::View:
      plan.io = Io::View;
      break;
    case Form::Sync:
      plan.io = Io::Sync;
      break;
    case Form::ReadShared:
      if (!isFetched && !call.isIgnored && areOrderedReadsAlike_) {
        plan.io = Io::ReadOrdered;
        notes_.push_back({call.expr, call.caller,
                          "announced for processes that all read as much in " + call.name});
        break;
      }
      [[fallthrough]];
    default: // where the shared pointer is depends on what the other processes do
      notes_.push_back({call.expr, call.caller,
                        "not announced: " + call.name + " uses the shared file pointer"});
      plan.action = isFetched ? Action::Exit : Action::Gone;
    }
  }

  /// Of a call through a pointer: whether that points to a function of a library which has no
  /// stand-in, for all that is known.
  bool isLibrary(const Call &call) const {
    const auto targets = effects_.pointsTo().targets(call.pointer);
    return targets.empty() || std::any_of(targets.begin(), targets.end(), [&](ObjectId each) {
             const Object &object = program_.objects[each];
             return object.kind == Object::Kind::Function && object.function == kNone &&
                    !isStoodIn(object);
           });
  }

  void end(const Call &call, CallPlan &plan, const std::string &why) {
    plan.action = Action::Exit;
    notes_.push_back({call.expr, call.caller, "pre-execution ends here: " + why});
  }

  void receive(CallId id, CallPlan &plan) {
    const Call &call = program_.calls[id];
    std::vector<Forwarded> forwarded;
    bool isPossible = true;
    if (closure_.needsResult(id) &&
        !startsMpi(call.name)) { // it has succeeded, if anything runs at all
      Forwarded result;
      const clang::QualType type = call.expr->getType();
      if (type->isPointerType()) {
        result.size = Forwarded::Size::Text;
        isPossible = type->getPointeeType()->isCharType();
      }
      forwarded.push_back(result);
    }
    for (const int i : ids(call.arguments))
      if (closure_.needsOutput(id, i)) {
        const auto output = this->output(id, i);
        isPossible = isPossible && output;
        forwarded.push_back(output.value_or(Forwarded{}));
      }
    for (std::size_t i = 0; i < call.changes.size(); ++i)
      if (closure_.needsOutput(id, static_cast<int>(call.arguments.size() + i))) {
        const auto output = outputOf(*call.changes[i], *program_.functions[call.caller].definition);
        isPossible = isPossible && output;
        forwarded.push_back(output.value_or(Forwarded{}));
      }
    if (hasStarts_ && call.model && call.model->completes)
      isPossible = isPossible && completes(call, contextOf(call), plan);
    if (closure_.isExchanged(id) && isPossible && !hasEffects(call) && comesAtOnce(forwarded))
      exchange(call, forwarded, plan);
    if (!isPossible) {
      end(call, plan, "what " + call.name + " gives cannot be handed over");
    } else if (!forwarded.empty() || plan.completes >= 0) {
      plan.action = Action::Receive;
      plan.forwarded = std::move(forwarded);
      notes_.push_back({call.expr, call.caller,
                        plan.exchange.empty() ? "forwarded: what " + call.name + " gives"
                                              : "exchanged among the pre-execution threads: what " +
                                                    call.name + " gives"});
    }
  }

  bool hasEffects(const Call &call) const {
    return std::any_of(call.expr->arg_begin(), call.expr->arg_end(), [&](const clang::Expr *each) {
      return each->HasSideEffects(contextOf(call));
    });
  }

  /// Of what comes later there is only that: values are counted.
  static bool comesAtOnce(const std::vector<Forwarded> &all) {
    return all.size() <= 1 || std::none_of(all.begin(), all.end(),
                                           [](const Forwarded &each) { return each.request >= 0; });
  }

  void exchange(const Call &call, std::vector<Forwarded> &forwarded, CallPlan &plan) {
    slice_.exchanges = true;
    plan.exchange = call.model->exchangedBy;
    plan.exchanged =
        requestOf(*call.model).value_or(static_cast<int>(call.arguments.size())); // it is the last
    if (!forwarded.empty())
      return;
    Forwarded made; // if only this: nobody here waits for it
    made.size = Forwarded::Size::Nothing;
    forwarded.push_back(made);
  }

  /// A global that anyone changes, or that leads to something that has a clone or a copy, needs a
  /// copy of its own; others are shared and only read.
  void findPrivates() {
    std::set<ObjectId> named;
    std::map<const clang::VarDecl *, ObjectId> objects;
    for (const ObjectId id : ids(program_.objects))
      if (program_.objects[id].variable)
        objects[program_.objects[id].variable] = id;
    std::vector<ObjectId> open;
    for (const GroupId id : ids(program_.groups))
      if (closure_.isActive(id))
        for (const clang::VarDecl *each : program_.groups[id].names)
          if (each->hasGlobalStorage())
            open.push_back(globalOf(each, objects));
    while (!open.empty()) {
      const ObjectId each = open.back();
      open.pop_back();
      if (each == kNone || !named.insert(each).second)
        continue;
      if (const auto inner = program_.initialisedWith.find(each);
          inner != program_.initialisedWith.end())
        open.insert(open.end(), inner->second.begin(), inner->second.end());
    }
    std::set<ObjectId> privates;
    for (bool changed = true; changed;) {
      changed = false;
      for (const ObjectId each : named)
        if (isPrivate(each, privates) && privates.insert(each).second)
          changed = true;
    }
    for (const ObjectId each : privates)
      if (const Object &object = program_.objects[each];
          object.variable && !object.isExternal && !object.variable->isStaticLocal())
        slice_.privates.insert(object.variable);
  }

  ObjectId globalOf(const clang::VarDecl *variable,
                    const std::map<const clang::VarDecl *, ObjectId> &objects) const {
    if (const auto known = objects.find(variable); known != objects.end())
      return known->second;
    for (const ObjectId id : ids(program_.objects))
      if (const Object &object = program_.objects[id];
          object.variable && object.variable->hasExternalFormalLinkage() &&
          variable->hasExternalFormalLinkage() && object.name == variable->getNameAsString())
        return id;
    return kNone;
  }

  bool isStoodIn(const Object &object) const {
    return object.kind == Object::Kind::Function && object.function == kNone &&
           program_.standIns.count(object.name) > 0;
  }

  bool isPrivate(ObjectId id, const std::set<ObjectId> &privates) const {
    if (program_.objects[id].kind == Object::Kind::Function)
      return false;
    if (effects_.isModified(id))
      return true;
    const auto inner = program_.initialisedWith.find(id);
    if (inner == program_.initialisedWith.end())
      return false;
    return std::any_of(inner->second.begin(), inner->second.end(), [&](ObjectId each) {
      const FunctionId function = program_.objects[each].function;
      return privates.count(each) > 0 || (function != kNone && closure_.hasClone(function)) ||
             isStoodIn(program_.objects[each]);
    });
  }

  const Program &program_;
  const Effects &effects_;
  const Closure &closure_;
  std::vector<Note> &notes_;
  Slice slice_;
  bool hasStarts_ = false; ///< non-blocking calls of which something is needed
  bool areFreed_ = false;  ///< requests, before they have completed
  bool areOrderedReadsAlike_ = false;
  std::map<std::pair<const clang::ASTContext *, std::pair<unsigned, unsigned>>, int> macroSites_;
};

} // namespace

Slice plan(const Program &program, const Effects &effects, const Closure &closure,
           std::vector<Note> &notes) {
  return Planner(program, effects, closure, notes).make();
}

} // namespace forerun::slicer
