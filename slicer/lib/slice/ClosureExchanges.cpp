// SPDX-License-Identifier: Apache-2.0
#include "analysis/Requests.h"
#include "slice/Closure.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <optional>

/// \file
/// Closure's communication. What other processes send is forwarded by the main thread, and so comes
/// when the main thread has it. Where that is inside of the loop that reads, nothing is left to run
/// ahead of. There the pre-execution threads communicate themselves, if what they have to send
/// costs little beyond what is there: then it is in the slice as well, at the calls that may be the
/// other side of this one too.

namespace forerun::slicer {

using Exchange = FunctionModel::Exchange;
using Kind = FunctionModel::Kind;

namespace {

constexpr int kTag = 4;                                   // of what sends
constexpr int kSourceFromEnd = 4, kReceiveTagFromEnd = 3; // of what receives

bool sends(const FunctionModel &model) {
  return model.exchange == Exchange::Send || model.exchange == Exchange::Both;
}

bool receives(const FunctionModel &model) {
  return model.exchange == Exchange::Receive || model.exchange == Exchange::Both;
}

std::optional<std::int64_t> constant(const Program &program, const Call &call, int argument) {
  clang::Expr::EvalResult result;
  const clang::ASTContext &ast = program.functions[call.caller].definition->getASTContext();
  const clang::Expr *expr = call.expr->getArg(static_cast<unsigned>(argument));
  if (expr->isValueDependent() || !expr->EvaluateAsInt(result, ast))
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

std::optional<std::int64_t> receivedTag(const Program &program, const Call &call) {
  return constant(program, call, static_cast<int>(call.arguments.size()) - kReceiveTagFromEnd);
}

std::optional<std::int64_t> receivedFrom(const Program &program, const Call &call) {
  return constant(program, call, static_cast<int>(call.arguments.size()) - kSourceFromEnd);
}

/// From any source, or with any tag, there is no telling which message comes.
bool receivesKnown(const Program &program, const Call &call) {
  return receives(*call.model) && receivedFrom(program, call).value_or(0) >= 0 &&
         receivedTag(program, call).value_or(0) >= 0;
}

bool differ(std::optional<std::int64_t> one, std::optional<std::int64_t> other) {
  return one && other && *one != *other;
}

/// The statements around a call, those around the calls of its function included.
std::set<NodeId> branchesAround(const Program &program, CallId id) {
  std::set<NodeId> result;
  std::set<FunctionId> met;
  std::vector<CallId> open{id};
  while (!open.empty()) {
    const Call &call = program.calls[open.back()];
    open.pop_back();
    for (NodeId node = program.groups[call.group].node; node != kNone;
         node = program.nodes[node].enclosing)
      if (const auto *stmt = program.nodes[node].stmt;
          stmt && (clang::isa<clang::IfStmt>(stmt) || clang::isa<clang::SwitchStmt>(stmt)))
        result.insert(node);
    if (met.insert(call.caller).second)
      for (const CallId each : program.functions[call.caller].callers)
        open.push_back(each);
  }
  return result;
}

} // namespace

/// True if something has been added.
bool Closure::tryExchanges() {
  bool changed = false;
  for (const CallId each : std::set(state_.communication))
    if (!isOver() && !isExchanged(each) && decidedExchanges_.insert(each).second &&
        canBeExchanged(each))
      changed |= tryExchange(each);
  return changed;
}

bool Closure::tryExchange(CallId id) {
  const Cost before = cost_;
  const std::size_t waitsBefore = waits(), loopsBefore = loops();
  isTrying_ = true;
  // What it sends may in turn have been received.
  for (std::vector<CallId> open{id}; !open.empty() && !isOver();) {
    for (const CallId each : open) {
      exchange(each);
      for (const CallId partner : partnersOf(each))
        exchange(partner);
    }
    close();
    open.clear();
    for (const CallId each : state_.communication)
      if (!isExchanged(each) && canBeExchanged(each))
        open.push_back(each);
  }
  isTrying_ = false;
  const std::size_t most = before.kept + std::max<std::size_t>(32, before.kept / 4);
  const bool isWorth = waits() < waitsBefore && loops() <= loopsBefore && cost_.kept <= most;
  if (isWorth)
    undo_.clear();
  else
    takeBack(before);
  return isWorth;
}

void Closure::exchange(CallId id) {
  if (!insert(state_.exchanged, id))
    return;
  const Call &made = program_.calls[id];
  callAll(id);
  const auto request = requestOf(*made.model);
  for (int i = 0; i < static_cast<int>(made.arguments.size()); ++i)
    if (i != request)
      argument(id, i, made.group);
  if (made.model->exchange == Exchange::Receive)
    output(id, 0, made.group, Need::Own); // there, or no call that completes it is
  for (const Access &use : made.uses)
    read(program_.groups[made.group].node, use.place, made.group);
}

/// The call, and all calls through which the program comes to it.
void Closure::callAll(CallId id) {
  std::set<FunctionId> met;
  for (std::vector<CallId> open{id}; !open.empty();) {
    const CallId each = open.back();
    open.pop_back();
    call(each, program_.calls[id].group);
    if (const FunctionId function = program_.calls[each].caller; met.insert(function).second)
      for (const CallId caller : program_.functions[function].callers)
        open.push_back(caller);
  }
}

/// The calls that may be made on other processes when this one is made here: of collective ones
/// those that stand in another branch of the same statement. Of a receive all that may send what it
/// receives, and all that may receive that in its place: messages are told apart by their number.
std::vector<CallId> Closure::partnersOf(CallId id) const {
  const Call &made = program_.calls[id];
  const bool isReceive = receives(*made.model);
  const auto tag = isReceive ? receivedTag(program_, made) : std::nullopt;
  const std::set<NodeId> around = branchesAround(program_, id);
  std::vector<CallId> result;
  for (CallId other = 0; other < static_cast<CallId>(program_.calls.size()); ++other) {
    const Call &call = program_.calls[other];
    if (!call.model || call.isCallback || call.caller == 0)
      continue;
    if (isReceive) {
      if ((sends(*call.model) && !differ(tag, constant(program_, call, kTag))) ||
          (receivesKnown(program_, call) && !differ(tag, receivedTag(program_, call))))
        result.push_back(other);
    } else if (call.model->exchangedBy == made.model->exchangedBy) {
      const std::set<NodeId> aroundOther = branchesAround(program_, other);
      if (std::any_of(around.begin(), around.end(),
                      [&](NodeId each) { return aroundOther.count(each) > 0; }))
        result.push_back(other);
    }
  }
  return result;
}

bool Closure::canBeExchanged(CallId id) {
  const Call &made = program_.calls[id];
  if (made.isCallback || made.caller == 0 || !isRepeated(id))
    return false;
  return made.model->exchange == Exchange::Collective || receivesKnown(program_, made);
}

/// Whether the call lies in a loop in which there are calls of MPI-IO too: between two of these it
/// is made again.
bool Closure::isRepeated(CallId id) {
  const auto [known, isNew] = repeated_.try_emplace(id, false);
  if (isNew) {
    std::set<FunctionId> met;
    known->second = isRepeated(program_.groups[program_.calls[id].group].node, met);
  }
  return known->second;
}

bool Closure::isRepeated(NodeId node, std::set<FunctionId> &met) const {
  if (isInLoopWithCriteria(node))
    return true;
  const FunctionId function = program_.nodes[node].function;
  if (!met.insert(function).second)
    return false;
  const auto &callers = program_.functions[function].callers;
  return std::any_of(callers.begin(), callers.end(), [&](CallId each) {
    return isRepeated(program_.groups[program_.calls[each].group].node, met);
  });
}

bool Closure::isInLoopWithCriteria(NodeId node) const {
  const auto reached = [&](std::vector<NodeId> Node::*next) {
    std::set<NodeId> result;
    std::vector<NodeId> open = program_.nodes[node].*next;
    while (!open.empty()) {
      const NodeId each = open.back();
      open.pop_back();
      if (!result.insert(each).second)
        continue;
      const auto &more = program_.nodes[each].*next;
      open.insert(open.end(), more.begin(), more.end());
    }
    return result;
  };
  const auto isCriterion = [&](CallId id) {
    const Call &call = program_.calls[id];
    return std::find(criteria_.begin(), criteria_.end(), id) != criteria_.end() ||
           std::any_of(call.callees.begin(), call.callees.end(),
                       [&](FunctionId each) { return with_.count(each) > 0; });
  };
  const std::set<NodeId> ahead = reached(&Node::successors);
  if (ahead.count(node) == 0)
    return false;
  const std::set<NodeId> behind = reached(&Node::predecessors);
  return std::any_of(ahead.begin(), ahead.end(), [&](NodeId each) {
    return behind.count(each) > 0 &&
           std::any_of(callsOf_[each].begin(), callsOf_[each].end(), isCriterion);
  });
}

/// Calls at which the pre-execution thread would wait for the main thread again and again.
std::size_t Closure::waits() {
  std::size_t result = 0;
  for (CallId id = 0; id < static_cast<CallId>(program_.calls.size()); ++id) {
    const Call &made = program_.calls[id];
    if (!state_.calls[id] || !made.callees.empty() || made.caller == 0 || isExchanged(id))
      continue;
    const Kind kind = made.model ? made.model->kind : Kind::Forward;
    if ((kind == Kind::Forward || kind == Kind::Visible) &&
        (needsAnyOutput(id) || needsResult(id)) && isRepeated(id))
      ++result;
  }
  return result;
}

/// Loops of the slice that are more than a way through the processes, or the receivers of a
/// message.
std::size_t Closure::loops() const {
  std::set<NodeId> around;
  for (const CallId each : state_.exchanged)
    for (NodeId node = program_.groups[program_.calls[each].group].node; node != kNone;
         node = program_.nodes[node].enclosing)
      around.insert(node);
  std::size_t result = 0;
  for (NodeId id = 0; id < static_cast<NodeId>(program_.nodes.size()); ++id)
    if (const auto *stmt = program_.nodes[id].stmt;
        stmt && state_.nodes[id] && around.count(id) == 0 && !processCounts_.bounds(stmt))
      result += clang::isa<clang::ForStmt>(stmt) || clang::isa<clang::WhileStmt>(stmt) ||
                clang::isa<clang::DoStmt>(stmt);
  return result;
}

} // namespace forerun::slicer
