// SPDX-License-Identifier: Apache-2.0
#include "slice/forwarding/Forwarding.h"

#include "analysis/Walks.h"
#include "models/Ids.h"
#include "slice/choices/Repetition.h"
#include "slice/forwarding/Editable.h"
#include "slice/needs/HandedStatements.h"
#include "slice/plan/PlanOutput.h"

#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

/// The maximum number of candidates: each costs a closure.
constexpr std::size_t kMostTried = 32;

/// Fewer calls wait, or less is computed with what was read.
const Gain kLessWaiting{{&Cost::waits, &Cost::computing, &Cost::data},
                        {{&Cost::waits}, {&Cost::computing, &Cost::data}}};
/// Whatever the bytes are: fewer reads for which it waits, and less to compute with them.
const Gain kLessFetching{
    {&Cost::waits, &Cost::computing, &Cost::data, &Cost::fetches, &Cost::longLoops},
    {{&Cost::fetches, &Cost::longLoops}}};

/// An assignment `x += y` or `x -= y` of numbers.
bool isStep(const clang::Stmt *assignment) {
  const auto *step = clang::dyn_cast<clang::CompoundAssignOperator>(assignment);
  return step &&
         clang::BinaryOperator::isAdditiveOp(
             clang::BinaryOperator::getOpForCompoundAssignment(step->getOpcode())) &&
         step->getType()->isArithmeticType();
}

class Chooser {
public:
  Chooser(const Analysis &analysis, const Closure::Options &options)
      : analysis_(analysis), program_(analysis.program()), options_(options),
        around_(analysis.closure().criteria().around), editable_(program_) {}

  std::optional<Closure::Options> choose() const {
    const Cost before = analysis_.cost();
    const Search search = analysis_.search(options_);
    std::optional<Closure::Options> chosen;
    if (before.waits + before.data > 0)
      chosen = search.best(find(Which::All), kLessWaiting);
    // If the program mostly computes something else, the thread gets ahead by fetching.
    if (!chosen && before.longLoops > 0 && before.longLoops >= before.longLoopsLeftOut)
      chosen = search.best(find(Which::ConditionsOfReads), kLessFetching);
    return chosen;
  }

private:
  enum class Which { All, ConditionsOfReads };

  /// The candidates, in the order in which the chooser tries to drop them. Of floating-point numbers
  /// only those that advance (`time += step`) are among them: others differ each time.
  /// ConditionsOfReads: those that decide about reads, in loops that read; a search has others.
  std::vector<const clang::Stmt *> find(Which which) const {
    std::vector<const clang::Stmt *> conditions, result;
    const Repetition repetition(analysis_.closure().input());
    for (const NodeId id : ids(program_.nodes)) {
      const Node &node = program_.nodes[id];
      if (!node.stmt || node.function == 0 || node.group == kNone ||
          program_.functions[node.function].isCopied() ||
          !analysis_.closure().isActive(node.group) || !repetition.isRepeatedAt(id))
        continue;
      if (const clang::Expr *condition = conditionOf(node.stmt)) {
        if (which == Which::All || around_.contains(id) ||
            (clang::isa<clang::IfStmt>(node.stmt) && isBesideReads(node)))
          addCondition(id, *condition, conditions);
      } else if (const clang::VarDecl *variable = assignedBy(node.stmt);
                 variable && which == Which::All)
        addAssignment(node, *variable, result);
    }
    result.insert(result.end(), conditions.begin(), conditions.end());
    if (result.size() > kMostTried)
      result.erase(result.begin(), result.end() - static_cast<std::ptrdiff_t>(kMostTried));
    return result;
  }

  void addCondition(NodeId id, const clang::Expr &condition,
                    std::vector<const clang::Stmt *> &to) const {
    const Node &node = program_.nodes[id];
    const auto writes = [&](NodeId each) { return !program_.nodes[each].defs.empty(); };
    const clang::ASTContext &ast = program_.functions[node.function].definition->getASTContext();
    bool value = false;
    if (node.kind == Node::Kind::Predicate && !writes(id) &&
        llvm::none_of(operandsOf(program_, id), writes) &&
        editable_.conditional.contains(node.stmt) &&
        !condition.EvaluateAsBooleanCondition(value, ast))
      to.push_back(node.stmt);
  }

  /// Whether the innermost loop around the node reads.
  bool isBesideReads(const Node &node) const {
    NodeId loop = node.enclosing;
    while (loop != kNone && !isLoop(program_.nodes[loop].stmt))
      loop = program_.nodes[loop].enclosing;
    return loop != kNone && around_.contains(loop);
  }

  void addAssignment(const Node &node, const clang::VarDecl &variable,
                     std::vector<const clang::Stmt *> &to) const {
    if (node.defs.size() == 1 && editable_.places.contains(node.stmt) &&
        (variable.getType()->isIntegerType() || (isStep(node.stmt) && isBesideReads(node))) &&
        !variable.isStaticLocal() && canBeHandedOver(variable))
      to.push_back(node.stmt);
  }

  const Analysis &analysis_;
  const Program &program_;
  const Closure::Options &options_;
  const std::set<NodeId> &around_; ///< nodes around criteria
  const Editable editable_;
};

} // namespace

std::optional<Closure::Options> steering(const Analysis &analysis,
                                         const Closure::Options &options) {
  return analysis.canHandOverMore() ? Chooser(analysis, options).choose() : std::nullopt;
}

} // namespace forerun::slicer
