// SPDX-License-Identifier: Apache-2.0
#include "slice/CutExits.h"

#include "analysis/CallsByNode.h"
#include "models/Ids.h"
#include "models/Worklist.h"
#include "slice/EarlyExits.h"
#include "slice/Editable.h"

#include <algorithm>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <map>

namespace forerun::slicer {

using clang::dyn_cast;

namespace {

bool isPartOf(const clang::Stmt *whole, const clang::Stmt *part) {
  if (!whole)
    return false;
  return whole == part ||
         std::any_of(whole->child_begin(), whole->child_end(),
                     [&](const clang::Stmt *each) { return isPartOf(each, part); });
}

class ExitFinder {
public:
  explicit ExitFinder(const Analysis &analysis)
      : analysis_(analysis), program_(analysis.program()), callsOf_(callsByNode(program_)) {}

  HandedExits find() {
    HandedExits result;
    for (const Cut &cut : analysis_.closure().cuts()) {
      const Node &exit = program_.nodes[cut.node];
      const Function &function = program_.functions[exit.function];
      if (exit.loop == kNone || function.copyOf != kNone || !function.copies.empty() ||
          !isReadAfter(program_, analysis_.closure().criteria(), callsOf_, cut.node) ||
          endsPredictions(exit.loop))
        continue;
      if (const auto handed = decides(cut.node)) {
        const bool isOnlyEnd = program_.nodes[exit.loop].isEndless;
        result.emplace(handed->first, isOnlyEnd ? std::nullopt : std::optional(handed->second));
      }
    }
    return result;
  }

private:
  /// The operand, or the `if` around a jump, and how it comes out where the loop goes on.
  std::optional<std::pair<const clang::Stmt *, bool>> decides(NodeId id) {
    const Node &exit = program_.nodes[id];
    const Editable &editable =
        editable_.try_emplace(exit.function, *program_.functions[exit.function].definition)
            .first->second;
    if (exit.isOperand) {
      if (!exit.defs.empty() || editable.expressions.count(exit.stmt) == 0)
        return std::nullopt;
      return std::pair(exit.stmt, exit.valueLeftOut);
    }
    const Node *around = exit.enclosing == kNone ? nullptr : &program_.nodes[exit.enclosing];
    const auto *branch = around ? dyn_cast<clang::IfStmt>(around->stmt) : nullptr;
    if (!branch || !around->defs.empty() || hasOperands(exit.enclosing) ||
        editable.conditional.count(branch) == 0)
      return std::nullopt;
    return std::pair(around->stmt, !isPartOf(branch->getThen(), exit.stmt));
  }

  bool hasOperands(NodeId condition) const {
    const auto &nodes = program_.functions[program_.nodes[condition].function].nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId each) {
      return program_.nodes[each].isOperand && program_.nodes[each].enclosing == condition;
    });
  }

  // ---- what happens in the loop ----

  /// Whether the pre-execution thread does something in the loop before which no prediction may be
  /// open (libprefetch/src/thread/Predictions.h).
  bool endsPredictions(NodeId loop) const {
    Worklist<FunctionId> open;
    const auto &nodes = program_.functions[program_.nodes[loop].function].nodes;
    const auto look = [&](NodeId node) {
      return std::any_of(callsOf_[node].begin(), callsOf_[node].end(), [&](CallId id) {
        if (!analysis_.closure().isCalled(id))
          return false;
        open.addAll(program_.calls[id].callees);
        return endsPredictions(program_.calls[id]);
      });
    };
    for (const NodeId each : nodes)
      if (isInLoop(program_, each, loop) && look(each))
        return true;
    while (const auto function = open.next())
      if (std::ranges::any_of(program_.functions[*function].nodes, look))
        return true;
    return false;
  }

  bool endsPredictions(const Call &call) const {
    const CallPlan *plan = analysis_.slice().planOf(call.expr);
    if (!plan)
      return false;
    if (const auto *io = plan->as<CallPlan::Io>())
      return !io->isRead() && !io->isWrite() && io->form != CallPlan::Io::Form::Seek;
    if (const auto *receive = plan->as<CallPlan::Receive>())
      return receive->exchange && !receive->exchange->isLocal;
    return plan->is<CallPlan::Choose>() || plan->is<CallPlan::StandIn>() ||
           plan->is<CallPlan::Twin>();
  }

  const Analysis &analysis_;
  const Program &program_;
  const CallsByNode callsOf_;
  std::map<FunctionId, Editable> editable_; ///< those that were asked for
};

} // namespace

HandedExits exitsToHand(const Analysis &analysis, const Closure::Options &options) {
  if (!analysis.isComplete() || !analysis.slice().main || analysis.slice().launch)
    return {};
  HandedExits result = ExitFinder(analysis).find();
  const Waits before = analysis.closure().waits();
  while (!result.empty()) {
    Closure::Options with = options;
    with.exits = result;
    for (const auto &[stmt, stays] : result)
      with.handed.insert(stmt);
    HandedStatements notHandedOver;
    const auto waits = analysis.waitsWith(std::move(with), notHandedOver);
    if (waits && waits->isNotMoreThan(before))
      return result;
    std::size_t dropped = 0;
    for (const clang::Stmt *each : notHandedOver)
      dropped += result.erase(each);
    if (waits || dropped == 0)
      return {};
  }
  return {};
}

} // namespace forerun::slicer
