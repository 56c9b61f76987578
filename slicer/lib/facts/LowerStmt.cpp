// SPDX-License-Identifier: Apache-2.0
#include "facts/LowerStmt.h"

#include "facts/Operands.h"

#include <algorithm>

namespace forerun::slicer {

using namespace clang;

namespace {

template <class T> void append(std::vector<T> &to, const std::vector<T> &from) {
  to.insert(to.end(), from.begin(), from.end());
}

} // namespace

void LowerStmt::body(const FunctionDecl *definition) {
  const NodeId entry = node(Node::Kind::Entry, nullptr, {});
  Node exit;
  exit.kind = Node::Kind::Exit;
  exit.function = function_;
  const auto exitId = static_cast<NodeId>(state_.program.nodes.size());
  state_.program.nodes.push_back(exit);
  state_.program.functions[function_].entry = entry;
  state_.program.functions[function_].exit = exitId;
  state_.program.functions[function_].nodes.push_back(exitId);
  findAddressed(definition->getBody());
  connect(statement(definition->getBody(), {{entry, false}}), exitId);
}

NodeId LowerStmt::node(Node::Kind kind, const Stmt *stmt, const Ends &ends) {
  Program &program = state_.program;
  const auto id = static_cast<NodeId>(program.nodes.size());
  Node made;
  made.kind = kind;
  made.function = function_;
  made.stmt = stmt;
  made.enclosing = enclosing_;
  made.group = static_cast<GroupId>(program.groups.size());
  program.nodes.push_back(made);
  Group group;
  group.node = id;
  program.groups.push_back(group);
  program.functions[function_].nodes.push_back(id);
  connect(ends, id);
  return id;
}

void LowerStmt::connect(const Ends &ends, NodeId to) {
  for (const auto &[from, isPseudo] : ends) {
    Node &node = state_.program.nodes[from];
    if (isPseudo) {
      node.fallThrough = to;
    } else {
      node.successors.push_back(to);
      state_.program.nodes[to].predecessors.push_back(from);
    }
  }
}

LowerExpr LowerStmt::in(NodeId node) {
  return {state_, function_, node, state_.program.nodes[node].group};
}

void LowerStmt::leavesLoop(NodeId jump) {
  for (const Scope &scope : scopes_)
    if (scope.isLoop) {
      state_.program.nodes[jump].leavesLoop = true;
      state_.program.nodes[jump].loop = scope.condition;
    }
}

bool LowerStmt::isConstant(const Expr *condition, bool value) const {
  if (!condition)
    return value;
  bool result = false;
  return condition->EvaluateAsBooleanCondition(result, *state_.context) && result == value;
}

LowerStmt::Ends LowerStmt::statement(const Stmt *stmt, Ends ends) {
  if (!stmt)
    return ends;
  return visitKind<Ends>(
      stmt, Kinds{
                [&](const NullStmt *) { return std::move(ends); },
                [&](const CompoundStmt *each) { return block(each, std::move(ends)); },
                [&](const Expr *each) { return expression(each, ends); },
                [&](const DeclStmt *each) { return declarations(each, std::move(ends)); },
                [&](const IfStmt *each) { return ifElse(each, ends); },
                [&](const WhileStmt *each) { return whileLoop(each, ends); },
                [&](const DoStmt *each) { return doLoop(each, ends); },
                [&](const ForStmt *each) { return forLoop(each, std::move(ends)); },
                [&](const SwitchStmt *each) { return switchCase(each, ends); },
                [&](const SwitchCase *each) { return caseLabel(each, ends); },
                [&](const ReturnStmt *each) { return returnFrom(each, ends); },
                [&](const AttributedStmt *each) {
                  return statement(each->getSubStmt(), std::move(ends));
                },
                [&](const LabelStmt *each) { return label(each, ends); },
                [&](const GotoStmt *each) { return gotoLabel(each, ends); },
                [&](const IndirectGotoStmt *each) { return indirectGoto(each, ends); },
                [&](const BreakStmt *each) { return breakFrom(each, ends); },
                [&](const ContinueStmt *each) { return continueAt(each, ends); },
                [&](const OMPExecutableDirective *each) { // as one thread would run it
                  return each->hasAssociatedStmt() ? statement(each->getRawStmt(), std::move(ends))
                                                   : std::move(ends);
                },
                [&](UnknownKind kind) { return unknown(kind, std::move(ends)); },
            });
}

LowerStmt::Ends LowerStmt::block(const CompoundStmt *stmt, Ends ends) {
  for (const Stmt *each : stmt->body())
    ends = handedOver(each, statement(each, std::move(ends)));
  return ends;
}

/// The parts run one after the other. What else the statement does is unknown; a note says so.
LowerStmt::Ends LowerStmt::unknown(UnknownKind kind, Ends ends) {
  state_.program.unknownStatements.push_back({kind.stmt, function_});
  for (const Stmt *child : kind.stmt->children())
    ends = statement(child, std::move(ends));
  return ends;
}

LowerStmt::Ends LowerStmt::label(const LabelStmt *stmt, const Ends &ends) {
  const NodeId label = labelNode(stmt->getDecl());
  state_.program.nodes[label].stmt = stmt;
  state_.program.nodes[label].enclosing = enclosing_;
  connect(ends, label);
  return statement(stmt->getSubStmt(), {{label, false}});
}

LowerStmt::Ends LowerStmt::breakFrom(const BreakStmt *stmt, const Ends &ends) {
  const NodeId id = node(Node::Kind::Jump, stmt, ends);
  if (scopes_.empty())
    return {{id, true}};
  Scope &innermost = scopes_.back();
  if (innermost.isLoop)
    leavesLoop(id);
  return jump(id, innermost.breaks);
}

LowerStmt::Ends LowerStmt::continueAt(const ContinueStmt *stmt, const Ends &ends) {
  const NodeId id = node(Node::Kind::Jump, stmt, ends);
  const auto loop = std::find_if(scopes_.rbegin(), scopes_.rend(),
                                 [](const Scope &scope) { return scope.isLoop; });
  if (loop == scopes_.rend())
    return {{id, true}};
  return jump(id, loop->continues);
}

LowerStmt::Ends LowerStmt::gotoLabel(const GotoStmt *stmt, const Ends &ends) {
  const NodeId id = node(Node::Kind::Jump, stmt, ends);
  leavesLoop(id);
  connect({{id, false}}, labelNode(stmt->getLabel()));
  return {{id, true}};
}

/// It may lead to every label whose address the function takes.
LowerStmt::Ends LowerStmt::indirectGoto(const IndirectGotoStmt *stmt, const Ends &ends) {
  const NodeId id = node(Node::Kind::Jump, stmt, ends);
  in(id).value(stmt->getTarget());
  for (const LabelDecl *each : addressed_)
    connect({{id, false}}, labelNode(each));
  return {{id, true}};
}

void LowerStmt::findAddressed(const Stmt *stmt) {
  if (const auto *address = dyn_cast_or_null<AddrLabelExpr>(stmt))
    addressed_.push_back(address->getLabel());
  if (stmt)
    for (const Stmt *child : stmt->children())
      findAddressed(child);
}

/// What pragmas hand over after `stmt`: definitions that depend on nothing.
LowerStmt::Ends LowerStmt::handedOver(const Stmt *stmt, Ends ends) {
  const auto known = state_.overrides.forwarded.find(stmt);
  if (known == state_.overrides.forwarded.end())
    return ends;
  for (const VarDecl *variable : known->second) {
    const NodeId id = node(Node::Kind::HandedOver, stmt, ends);
    Node &made = state_.program.nodes[id];
    made.variable = variable;
    Place place;
    place.object = state_.objectOf(variable, function_);
    place.size = state_.sizeOf(variable->getType());
    made.defs.push_back({place, made.group});
    state_.program.groups[made.group].names.push_back(variable);
    ends = {{id, false}};
  }
  return ends;
}

LowerStmt::Ends LowerStmt::jump(NodeId node, Ends &target) {
  target.push_back({node, false});
  return {{node, true}};
}

LowerStmt::Ends LowerStmt::expression(const Expr *expr, const Ends &ends) {
  const NodeId id = node(Node::Kind::Expression, expr, ends);
  in(id).statement(expr);
  if (!endsProgram(expr))
    return {{id, false}};
  leavesLoop(id);
  state_.program.nodes[id].leavesLoop = true;
  return {{id, true}};
}

bool LowerStmt::endsProgram(const Expr *expr) const {
  const auto *call = dyn_cast<CallExpr>(expr->IgnoreParenCasts());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee)
    return false;
  const FunctionModel *model = state_.modelOf(callee);
  return callee->isNoReturn() || (model && model->kind == FunctionModel::Kind::NoReturn);
}

LowerStmt::Ends LowerStmt::declarations(const DeclStmt *stmt, Ends ends) {
  for (const Decl *each : stmt->decls()) {
    const auto *variable = dyn_cast<VarDecl>(each);
    if (!variable)
      continue;
    const bool isSized = variable->getType()->isVariablyModifiedType();
    if (variable->hasGlobalStorage() || (!variable->getInit() && !isSized))
      continue;
    const NodeId id = node(Node::Kind::Initialiser, stmt, ends);
    state_.program.nodes[id].variable = variable;
    if (isSized)
      state_.program.sizes[variable->getCanonicalDecl()] = state_.program.nodes[id].group;
    if (variable->getInit())
      in(id).initialise(variable);
    else
      in(id).sizes(variable->getType());
    ends = {{id, false}};
  }
  return ends;
}

/// The condition of an `if` or a loop, or the nodes of its operands. The first operand belongs to
/// the condition's own node, unless it may be cut.
LowerStmt::Branches LowerStmt::test(NodeId condition, const Stmt *stmt, const Expr *expr) {
  const auto [operands, isAnd] = expr ? operandsOf(stmt, expr) : Operands();
  if (operands.empty()) {
    if (expr)
      in(condition).value(expr);
    const bool isEndless = !isa<IfStmt>(stmt) && isConstant(expr, true);
    return {{{condition, false}}, {{condition, isEndless}}};
  }
  Ends next{{condition, false}}, decided;
  for (const auto &[operand, isExit] : operands) {
    const bool isOwn = operand == operands.front().expr && !isExit;
    const NodeId id = isOwn ? condition : node(Node::Kind::Predicate, operand, next);
    in(id).value(operand);
    if (!isOwn) {
      Node &made = state_.program.nodes[id];
      made.isOperand = true;
      made.valueLeftOut = isAnd;
      made.leavesLoop = isExit;
      made.loop = isExit ? condition : kNone;
    }
    decided.push_back({id, false});
    next = isExit ? Ends{{id, false}, {id, true}} : Ends{{id, false}};
  }
  return isAnd ? Branches{next, decided} : Branches{decided, next};
}

LowerStmt::Ends LowerStmt::ifElse(const IfStmt *stmt, const Ends &ends) {
  const NodeId condition = node(Node::Kind::Predicate, stmt, ends);
  const NodeId outer = std::exchange(enclosing_, condition);
  const auto [holds, fails] = test(condition, stmt, stmt->getCond());
  Ends after = statement(stmt->getThen(), holds);
  append(after, statement(stmt->getElse(), fails));
  enclosing_ = outer;
  return after;
}

LowerStmt::Ends LowerStmt::whileLoop(const WhileStmt *stmt, const Ends &ends) {
  const NodeId condition = node(Node::Kind::Predicate, stmt, ends);
  const NodeId outer = std::exchange(enclosing_, condition);
  const auto [holds, fails] = test(condition, stmt, stmt->getCond());
  scopes_.push_back({condition, true, {}, {}});
  state_.program.nodes[condition].isEndless = isConstant(stmt->getCond(), true);
  connect(statement(stmt->getBody(), holds), condition);
  connect(scopes_.back().continues, condition);
  Ends after = std::move(scopes_.back().breaks);
  scopes_.pop_back();
  enclosing_ = outer;
  append(after, fails);
  return after;
}

LowerStmt::Ends LowerStmt::doLoop(const DoStmt *stmt, const Ends &ends) {
  const NodeId top = node(Node::Kind::Expression, nullptr, ends);
  const NodeId condition = node(Node::Kind::Predicate, stmt, {});
  const NodeId outer = std::exchange(enclosing_, condition);
  scopes_.push_back({condition, true, {}, {}});
  state_.program.nodes[condition].isEndless = isConstant(stmt->getCond(), true);
  connect(statement(stmt->getBody(), {{top, false}}), condition);
  connect(scopes_.back().continues, condition);
  Ends after = std::move(scopes_.back().breaks);
  scopes_.pop_back();
  const auto [holds, fails] = test(condition, stmt, stmt->getCond());
  enclosing_ = outer;
  const bool isOnce = isConstant(stmt->getCond(), false);
  if (!isOnce)
    connect(holds, top);
  append(after, fails);
  return after;
}

LowerStmt::Ends LowerStmt::forLoop(const ForStmt *stmt, Ends ends) {
  // The init part runs before the loop, but is written inside it: it is kept only with the loop.
  const NodeId condition = node(Node::Kind::Predicate, stmt, {});
  const NodeId outer = std::exchange(enclosing_, condition);
  connect(statement(stmt->getInit(), std::move(ends)), condition);
  const auto [holds, fails] = test(condition, stmt, stmt->getCond());
  scopes_.push_back({condition, true, {}, {}});
  state_.program.nodes[condition].isEndless = isConstant(stmt->getCond(), true);
  Ends again = statement(stmt->getBody(), holds);
  append(again, scopes_.back().continues);
  Ends after = std::move(scopes_.back().breaks);
  scopes_.pop_back();
  connect(statement(stmt->getInc(), std::move(again)), condition);
  enclosing_ = outer;
  append(after, fails);
  return after;
}

LowerStmt::Ends LowerStmt::switchCase(const SwitchStmt *stmt, const Ends &ends) {
  const NodeId condition = node(Node::Kind::Predicate, stmt, ends);
  in(condition).value(stmt->getCond());
  const NodeId outer = std::exchange(enclosing_, condition);
  scopes_.push_back({condition, false, {}, {}});
  switches_.push_back(condition);
  hasDefault_.push_back(false);
  Ends after = statement(stmt->getBody(), {});
  append(after, scopes_.back().breaks);
  if (!hasDefault_.back())
    after.push_back({condition, false});
  hasDefault_.pop_back();
  switches_.pop_back();
  scopes_.pop_back();
  enclosing_ = outer;
  return after;
}

LowerStmt::Ends LowerStmt::caseLabel(const SwitchCase *stmt, const Ends &ends) {
  if (isa<DefaultStmt>(stmt))
    hasDefault_.back() = true;
  const NodeId label = node(Node::Kind::Expression, nullptr, ends);
  connect({{switches_.back(), false}}, label);
  return statement(stmt->getSubStmt(), {{label, false}});
}

LowerStmt::Ends LowerStmt::returnFrom(const ReturnStmt *stmt, const Ends &ends) {
  const NodeId id = node(Node::Kind::Return, stmt, ends);
  Program &program = state_.program;
  leavesLoop(id);
  if (const Expr *value = stmt->getRetValue()) {
    Group group;
    group.node = id;
    group.isReturnValue = true;
    const auto made = static_cast<GroupId>(program.groups.size());
    program.groups.push_back(group);
    LowerExpr expr(state_, function_, id, made);
    Place result;
    result.object = program.functions[function_].result;
    if (value->getType()->isRecordType())
      state_.copyRecord(result, expr.record(value, true), state_.sizeOf(value->getType()));
    else
      state_.store(result, expr.value(value));
  }
  connect({{id, false}}, program.functions[function_].exit);
  return {{id, true}};
}

NodeId LowerStmt::labelNode(const LabelDecl *label) {
  const auto [place, isNew] = labels_.try_emplace(label, kNone);
  if (isNew)
    place->second = node(Node::Kind::Expression, nullptr, {});
  return place->second;
}

} // namespace forerun::slicer
