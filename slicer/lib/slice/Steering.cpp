// SPDX-License-Identifier: Apache-2.0
#include "slice/Steering.h"

#include "models/Ids.h"
#include "slice/Editable.h"
#include "slice/PlanOutput.h"

#include <algorithm>
#include <clang/AST/Expr.h>
#include <optional>

namespace forerun::slicer {

namespace {

/// The maximum number of candidates: each costs a closure.
constexpr std::size_t kMostTried = 32;

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
        aroundCriteria_(aroundCriteria(program_, analysis.closure().criteria())) {
    for (const Function &each : program_.functions)
      if (each.definition) {
        Editable editable(*each.definition);
        places_.merge(editable.places);
        conditional_.merge(editable.conditional);
      }
  }

  HandedStatements choose() {
    const Waits before = analysis_.closure().waits();
    HandedStatements chosen;
    if (before.receives + before.data > 0)
      chosen = chooseFrom(find(Which::All), before, {&Waits::isLessThan, &Waits::isNotMoreThan});
    // If the program mostly computes something else, the thread gets ahead by fetching.
    if (chosen.empty() && before.loops > 0 && before.loops >= before.loopsLeftOut)
      chosen = chooseFrom(find(Which::ConditionsOfReads), before,
                          {&Waits::fetchesLessThan, &Waits::fetchesNotMoreThan});
    return chosen;
  }

private:
  enum class Which { All, ConditionsOfReads };
  struct Order {
    bool (Waits::*isLess)(const Waits &) const, (Waits::*isNotMore)(const Waits &) const;
  };

  /// As few of the candidates as give what all of them give, if that is less than \p before.
  HandedStatements chooseFrom(const std::vector<const clang::Stmt *> &candidates,
                              const Waits &before, Order order) const {
    HandedStatements chosen(candidates.begin(), candidates.end());
    auto most = waitsWith(chosen);
    if (!most || !((*most).*order.isLess)(before))
      return {};
    for (const clang::Stmt *each : candidates) {
      HandedStatements fewer = chosen;
      if (fewer.erase(each) == 0)
        continue;
      const auto without = waitsWith(fewer);
      // Waiting for a number elsewhere gains nothing.
      const bool isNumber = conditionOf(each) == nullptr;
      if (without && (((*without).*order.isNotMore)(*most) ||
                      (isNumber && !without->computesMoreThan(*most)))) {
        most = without;
        chosen = std::move(fewer);
      }
    }
    return ((*most).*order.isLess)(before) ? chosen : HandedStatements();
  }

  /// The candidates, in the order in which the chooser tries to drop them. Of floating-point numbers
  /// only those that advance (`time += step`) are among them: others differ each time.
  /// ConditionsOfReads: those that decide about reads, in loops that read; a search has others.
  std::vector<const clang::Stmt *> find(Which which) const {
    std::vector<const clang::Stmt *> conditions, result;
    const Repetition repetition = analysis_.closure().repetition();
    for (const NodeId id : ids(program_.nodes)) {
      const Node &node = program_.nodes[id];
      if (!node.stmt || node.function == 0 || node.group == kNone ||
          program_.functions[node.function].copyOf != kNone ||
          !program_.functions[node.function].copies.empty() ||
          !analysis_.closure().isActive(node.group) || !repetition.isRepeatedAt(id))
        continue;
      if (const clang::Expr *condition = conditionOf(node.stmt)) {
        if (which == Which::All || aroundCriteria_.count(id) > 0 ||
            (clang::isa<clang::IfStmt>(node.stmt) && isBesideReads(node)))
          addCondition(node, *condition, conditions);
      } else if (const clang::VarDecl *variable = assignedBy(node.stmt);
                 variable && which == Which::All)
        addAssignment(node, *variable, result);
    }
    result.insert(result.end(), conditions.begin(), conditions.end());
    if (result.size() > kMostTried)
      result.erase(result.begin(), result.end() - static_cast<std::ptrdiff_t>(kMostTried));
    return result;
  }

  void addCondition(const Node &node, const clang::Expr &condition,
                    std::vector<const clang::Stmt *> &to) const {
    const clang::ASTContext &ast = program_.functions[node.function].definition->getASTContext();
    bool value = false;
    if (node.kind == Node::Kind::Predicate && node.defs.empty() && !hasOperandsThatWrite(node) &&
        conditional_.count(node.stmt) > 0 && !condition.EvaluateAsBooleanCondition(value, ast))
      to.push_back(node.stmt);
  }

  bool hasOperandsThatWrite(const Node &condition) const {
    const auto &nodes = program_.functions[condition.function].nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId each) {
      const Node &node = program_.nodes[each];
      return node.isOperand && &program_.nodes[node.enclosing] == &condition && !node.defs.empty();
    });
  }

  /// Whether the innermost loop around the node reads.
  bool isBesideReads(const Node &node) const {
    NodeId loop = node.enclosing;
    while (loop != kNone &&
           !clang::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(program_.nodes[loop].stmt))
      loop = program_.nodes[loop].enclosing;
    return loop != kNone && aroundCriteria_.count(loop) > 0;
  }

  void addAssignment(const Node &node, const clang::VarDecl &variable,
                     std::vector<const clang::Stmt *> &to) const {
    if (node.defs.size() == 1 && places_.count(node.stmt) > 0 &&
        (variable.getType()->isIntegerType() || (isStep(node.stmt) && isBesideReads(node))) &&
        !variable.isStaticLocal() && canBeHandedOver(variable))
      to.push_back(node.stmt);
  }

  /// Removes those that cannot be handed over. Empty if time ran out.
  std::optional<Waits> waitsWith(HandedStatements &chosen) const {
    while (true) {
      Closure::Options options = options_;
      options.handed = chosen;
      HandedStatements notHandedOver;
      const auto waits = analysis_.waitsWith(std::move(options), notHandedOver);
      if (waits || notHandedOver.empty())
        return waits;
      for (const clang::Stmt *each : notHandedOver)
        chosen.erase(each);
    }
  }

  const Analysis &analysis_;
  const Program &program_;
  const Closure::Options &options_;
  const std::set<NodeId> aroundCriteria_;
  std::set<const clang::Stmt *> places_, conditional_;
};

} // namespace

HandedStatements steering(const Analysis &analysis, const Closure::Options &options) {
  if (!analysis.isComplete() || !analysis.slice().main || analysis.slice().launch)
    return {};
  return Chooser(analysis, options).choose();
}

} // namespace forerun::slicer
