// SPDX-License-Identifier: Apache-2.0
#include "facts/Lowering.h"

#include "facts/Allocators.h"
#include "facts/Copies.h"
#include "models/Worklist.h"

#include "facts/LowerStmt.h"
#include "input/Traversal.h"

#include <algorithm>

namespace forerun::slicer {

using namespace clang;

namespace {

/// Definitions of functions and variables with static storage, static locals included.
class Definitions : public Traversal {
public:
  std::vector<FunctionDecl *> functions;
  std::vector<VarDecl *> variables;
  bool makesPointers = false; ///< from numbers, by a cast or through a union

private:
  bool enterStmt(Stmt &node) override {
    if (const auto *cast = dyn_cast<CastExpr>(&node);
        cast && cast->getCastKind() == CK_IntegralToPointer)
      makesPointers |= !isNumber(cast->getSubExpr());
    return true;
  }

  /// Such as in MPI's (void *)-1.
  static bool isNumber(const Expr *expr) {
    expr = expr->IgnoreParenCasts();
    const auto *negative = dyn_cast<UnaryOperator>(expr);
    return isa<IntegerLiteral>(expr) || (negative && isNumber(negative->getSubExpr()));
  }

  void enterDecl(Decl &declaration) override {
    if (const auto *record = dyn_cast<RecordDecl>(&declaration); record && record->isUnion()) {
      const auto has = [&](auto test) {
        return std::any_of(record->field_begin(), record->field_end(), test);
      };
      makesPointers |= has([](const auto *each) { return each->getType()->isPointerType(); }) &&
                       has([](const auto *each) { return each->getType()->isIntegerType(); });
    }
    if (auto *function = dyn_cast<FunctionDecl>(&declaration)) {
      if (function->doesThisDeclarationHaveABody())
        functions.push_back(function);
    } else if (auto *variable = dyn_cast<VarDecl>(&declaration)) {
      if (variable->hasGlobalStorage())
        variables.push_back(variable);
    }
  }
};

class Names : public Traversal {
public:
  std::vector<const ValueDecl *> found;

private:
  bool enterStmt(Stmt &node) override {
    if (const auto *name = dyn_cast<DeclRefExpr>(&node))
      found.push_back(name->getDecl());
    return true;
  }
};

Definitions definitionsOf(const Unit &unit) {
  Definitions result;
  for (Decl *declaration : unit.ast->getASTContext().getTranslationUnitDecl()->decls())
    if (!unit.ast->getSourceManager().isInSystemHeader(declaration->getLocation()))
      result.traverse(declaration);
  return result;
}

void makeParameters(LoweringState &state, FunctionId id, const FunctionDecl *definition) {
  Function &function = state.program.functions[id];
  const auto parameter = [&](ObjectId object) {
    state.program.objects[object].parameter = static_cast<int>(function.parameters.size());
    state.program.objects[object].owner = id;
    function.parameters.push_back(object);
  };
  for (const ParmVarDecl *each : definition->parameters())
    parameter(state.objectOf(each, id));
  if (definition->isVariadic()) {
    Object rest;
    rest.name = "...";
    function.variadic = state.addObject(rest);
    state.program.objects[function.variadic].parameter =
        static_cast<int>(function.parameters.size());
    state.program.objects[function.variadic].owner = id;
  }
  Object result;
  result.name = "result of " + function.name;
  result.owner = id;
  state.program.functions[id].result = state.addObject(result);
}

void lowerFunction(LoweringState &state, FunctionId id) {
  Program &program = state.program;
  const FunctionDecl *definition = program.functions[id].definition;
  state.current = id;
  program.functions[id].firstNode = static_cast<NodeId>(program.nodes.size());
  program.functions[id].firstGroup = static_cast<GroupId>(program.groups.size());
  program.functions[id].firstCall = static_cast<CallId>(program.calls.size());
  LowerStmt(state, id).body(definition);
  program.functions[id].endGroup = static_cast<GroupId>(program.groups.size());
  program.functions[id].endCall = static_cast<CallId>(program.calls.size());
}

/// The copies that calls have asked for, and those that calls in these ask for.
void lowerCopies(LoweringState &state) {
  while (!state.copiesToLower.empty()) {
    const FunctionId id = state.copiesToLower.back();
    state.copiesToLower.pop_back();
    const FunctionDecl *definition = state.program.functions[id].definition;
    state.context = &definition->getASTContext();
    makeParameters(state, id, definition);
    lowerFunction(state, id);
  }
}

/// The facts belong to nodes of "initialisers", a function that is never called; only the
/// constraints and the names matter.
void lowerGlobal(LoweringState &state, FunctionId initialisers, const VarDecl *variable) {
  const ObjectId object = state.objectOf(variable, kNone);
  if (!variable->getInit())
    return;
  Node node;
  node.function = initialisers;
  node.group = static_cast<GroupId>(state.program.groups.size());
  const auto id = static_cast<NodeId>(state.program.nodes.size());
  state.program.nodes.push_back(node);
  Group group;
  group.node = id;
  state.program.groups.push_back(group);
  LowerExpr(state, initialisers, id, node.group).initialise(variable);
  Names names;
  names.traverse(variable->getInit());
  for (const ValueDecl *each : names.found)
    if (const auto *function = dyn_cast<FunctionDecl>(each))
      state.program.initialisedWith[object].push_back(state.objectOf(function));
    else if (const auto *other = dyn_cast<VarDecl>(each))
      state.program.initialisedWith[object].push_back(state.objectOf(other, kNone));
}

/// argc and argv come from outside: the strings are an object of their own.
void makeArguments(LoweringState &state) {
  const Function &main = state.program.functions[state.program.main];
  if (main.parameters.size() < 2)
    return;
  Object vector, text;
  vector.kind = text.kind = Object::Kind::Text;
  vector.name = text.name = "argv";
  vector.isStatic = text.isStatic = true;
  Place argv, strings;
  argv.object = main.parameters[1];
  strings.object = state.addObject(vector);
  state.store(argv, state.addressOf(strings.object, 0));
  state.store(strings, state.addressOf(state.addObject(text), 0));
}

/// A function all of whose ends are calls that never return does not return either.
void cutAfterEndlessCalls(Program &program) {
  const auto returns = [&](const Function &function) {
    if (function.exit == kNone)
      return true;
    Worklist<NodeId> open{function.entry};
    while (const auto each = open.next())
      open.addAll(program.nodes[*each].successors);
    return open.met().count(function.exit) > 0;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : program.functions)
      if (!function.neverReturns && !returns(function))
        function.neverReturns = changed = true;
    for (NodeId id = 0; changed && id < static_cast<NodeId>(program.nodes.size()); ++id) {
      Node &node = program.nodes[id];
      if (node.kind != Node::Kind::Expression || node.group == kNone || node.successors.size() != 1)
        continue;
      for (const CallId call : program.groups[node.group].calls) {
        const Call &made = program.calls[call];
        if (made.expr != node.stmt || made.callees.size() != 1 ||
            !program.functions[made.callees[0]].neverReturns)
          continue;
        node.fallThrough = node.successors[0];
        std::erase(program.nodes[node.fallThrough].predecessors, id);
        node.successors.clear();
        node.leavesLoop = true;
        break;
      }
    }
  }
}

} // namespace

Program lower(const std::vector<Unit> &units, const Models &models, const Overrides &overrides,
              const Frame *frame) {
  Program program;
  LoweringState state(program, models, overrides, frame);
  program.functions.emplace_back();
  program.functions[0].name = "initialisers";
  std::vector<Definitions> all;
  for (const Unit &unit : units) {
    all.push_back(definitionsOf(unit));
    if (frame)
      std::erase_if(all.back().functions,
                    [&](const FunctionDecl *each) { return frame->leavesOut(each); });
    for (const FunctionDecl *function : all.back().functions)
      state.addFunction(function);
    state.integersMayPoint |= all.back().makesPointers;
  }
  state.pointed = Pointed(units, models, [&](const FunctionDecl *function) {
    return state.functionOf(function) != kNone;
  });
  std::set<const FunctionDecl *> definitions;
  for (const Function &each : program.functions)
    if (each.definition)
      definitions.insert(each.definition);
  const auto definitionOf = [&](const FunctionDecl *function) {
    const FunctionId id = state.functionOf(function);
    return id == kNone ? nullptr : program.functions[id].definition;
  };
  state.allocators = allocatorsAmong(definitions, models, definitionOf);
  program.allocators = state.allocators;
  if (frame == nullptr)
    state.copied = functionsToCopy(definitions, models, overrides, definitionOf);
  std::erase_if(state.copied, [&](const auto *each) { return state.allocators.contains(each); });
  program.standIns = state.pointed.standIns();
  program.twins = models.twins();
  program.mainOnly = state.pointed.mainOnly();
  for (std::size_t i = 0; i < units.size(); ++i) {
    state.context = &units[i].ast->getASTContext();
    for (const FunctionDecl *function : all[i].functions)
      if (const FunctionId id = state.functionOf(function);
          program.functions[id].definition == function)
        makeParameters(state, id, function);
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    state.context = &units[i].ast->getASTContext();
    state.current = 0;
    for (const VarDecl *variable : all[i].variables)
      lowerGlobal(state, 0, variable);
    for (const FunctionDecl *function : all[i].functions) {
      const FunctionId id = state.functionOf(function);
      if (program.functions[id].definition != function)
        continue;
      lowerFunction(state, id);
      if (program.functions[id].name == "main")
        program.main = id;
    }
  }
  lowerCopies(state);
  if (program.main != kNone) {
    state.current = program.main;
    makeArguments(state);
  }
  cutAfterEndlessCalls(program);
  return program;
}

} // namespace forerun::slicer
