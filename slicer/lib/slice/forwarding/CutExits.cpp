// SPDX-License-Identifier: Apache-2.0
#include "slice/forwarding/Forwarding.h"

#include "analysis/Walks.h"
#include "models/Ids.h"
#include "models/Worklist.h"
#include "slice/choices/EarlyExits.h"
#include "slice/forwarding/Editable.h"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using clang::dyn_cast;

namespace {

/// What is gained is not in the cost: prefetching goes on after the loop.
const Gain kNoMoreWaiting{{&Cost::waits, &Cost::computing, &Cost::data}, {}};

bool isPartOf(const clang::Stmt *whole, const clang::Stmt *part) {
  return whole && (whole == part || llvm::any_of(whole->children(), [&](const clang::Stmt *each) {
                     return isPartOf(each, part);
                   }));
}

class ExitFinder {
public:
  explicit ExitFinder(const Analysis &analysis)
      : analysis_(analysis), program_(analysis.program()), input_(analysis.closure().input()),
        editable_(program_) {}

  HandedExits find() const {
    HandedExits result;
    for (const Cut &cut : analysis_.closure().cuts()) {
      const Node &exit = program_.nodes[cut.node];
      if (exit.loop == kNone || program_.functions[exit.function].isCopied() ||
          !isReadAfter(input_, cut.node) || endsPredictions(exit.loop))
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
  std::optional<std::pair<const clang::Stmt *, bool>> decides(NodeId id) const {
    const Node &exit = program_.nodes[id];
    if (exit.isOperand) {
      if (!exit.defs.empty() || !editable_.expressions.contains(exit.stmt))
        return std::nullopt;
      return std::pair(exit.stmt, exit.valueLeftOut);
    }
    const Node *around = exit.enclosing == kNone ? nullptr : &program_.nodes[exit.enclosing];
    const auto *branch = around ? dyn_cast<clang::IfStmt>(around->stmt) : nullptr;
    if (!branch || !around->defs.empty() || !operandsOf(program_, exit.enclosing).empty() ||
        !editable_.conditional.contains(branch))
      return std::nullopt;
    return std::pair(around->stmt, !isPartOf(branch->getThen(), exit.stmt));
  }

  // ---- what happens in the loop ----

  /// Whether the pre-execution thread does something in the loop before which no prediction may be
  /// open (libprefetch/src/thread/Predictions.h).
  bool endsPredictions(NodeId loop) const {
    Worklist<FunctionId> open;
    const auto &nodes = program_.functions[program_.nodes[loop].function].nodes;
    const auto look = [&](NodeId node) {
      return llvm::any_of(input_.callsOf[node], [&](CallId id) {
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
      if (llvm::any_of(program_.functions[*function].nodes, look))
        return true;
    return false;
  }

  bool endsPredictions(const Call &call) const {
    const CallPlan *plan = analysis_.slice().planOf(call.expr);
    return plan && plan->settles();
  }

  const Analysis &analysis_;
  const Program &program_;
  const ClosureInput &input_;
  const Editable editable_;
};

} // namespace

std::optional<Closure::Options> cutExits(const Analysis &analysis,
                                         const Closure::Options &options) {
  if (!analysis.canHandOverMore())
    return std::nullopt;
  HandedExits exits = ExitFinder(analysis).find();
  const auto deciding = llvm::make_first_range(exits);
  const std::vector<const clang::Stmt *> candidates(deciding.begin(), deciding.end());
  return analysis.search(options, std::move(exits)).best(candidates, kNoMoreWaiting);
}

} // namespace forerun::slicer
