// SPDX-License-Identifier: Apache-2.0
#include "analysis/Walks.h"
#include "models/Ids.h"
#include "models/Worklist.h"
#include "slice/plan/Planner.h"
#include "slice/plan/Unset.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLExtras.h>
#include <optional>
#include <tuple>

namespace forerun::slicer {

namespace {

class EndPlanner : Planner {
public:
  explicit EndPlanner(const Planner &shared) : Planner(shared) {}

  void plan() {
    endWhereUnset();
    endWhereWritesAreLost();
    findBounded();
    for (const FunctionId id : ids(program_.functions))
      if (const auto *definition = program_.functions[id].definition;
          definition && slice_.clones.contains(definition))
        endInLoopsOf(program_.functions[id]);
  }

private:
  void endWhereUnset() {
    std::set<const clang::CallExpr *> ending;
    for (const Call &call : program_.calls)
      if (call.expr && neverReturns(call))
        ending.insert(call.expr);
    std::map<const clang::FunctionDecl *, FunctionId> functions;
    for (const FunctionId id : ids(program_.functions))
      functions[program_.functions[id].definition] = id;
    std::vector<Unset> found = findUnset(slice_, ending);
    const auto place = [&](const Unset &each) { // the order of addresses differs from run to run
      return std::tuple(functions.at(each.function), each.statement->getBeginLoc().getRawEncoding(),
                        each.variable->getLocation().getRawEncoding());
    };
    std::sort(found.begin(), found.end(),
              [&](const Unset &one, const Unset &other) { return place(one) < place(other); });
    for (const Unset &each : found)
      endAt(each.statement, functions.at(each.function),
            "nothing in the slice gives " + each.variable->getNameAsString() + " a value");
  }

  /// What is written through such a pointer may be read by another kept statement.
  void endWhereWritesAreLost() {
    for (const Node &node : program_.nodes)
      if (node.stmt && mayRun(node.function) && slice_.statements.contains(node.stmt) &&
          !slice_.extracts.contains(node.stmt) && llvm::any_of(node.defs, [&](const Access &each) {
            return each.call == kNone && each.place.pointer != kNone &&
                   pointsTo_.ranges(each.place).empty();
          }))
        endAt(node.stmt, node.function, "it is not known where this writes to");
  }

  /// Of one that is lowered once for each call nothing is known where it is not called.
  bool mayRun(FunctionId id) const {
    return !program_.functions[id].isCopied() || closure_.hasClone(id);
  }

  bool neverReturns(const Call &call) const {
    if (call.model)
      return call.model->kind == FunctionModel::Kind::NoReturn;
    return call.pointer == kNone && call.callees.size() == 1 &&
           program_.functions[call.callees[0]].neverReturns;
  }

  // ---- loops that nothing ends ----

  /// Finds functions in which something is announced or awaited, or which end the thread: their
  /// callers do not run on for nothing.
  void findBounded() {
    isBounded_.resize(program_.functions.size());
    for (const NodeId id : ids(program_.nodes))
      if (const Node &node = program_.nodes[id];
          node.kind == Node::Kind::HandedOver && closure_.isPresent(id))
        isBounded_[node.function] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const CallId id : ids(program_.calls))
        if (const FunctionId caller = program_.calls[id].caller;
            caller != kNone && !isBounded_[caller] && closure_.isCalled(id) && callIsBounded(id))
          changed = isBounded_[caller] = true;
    }
  }

  bool callIsBounded(CallId id) const {
    const Call &call = program_.calls[id];
    const CallPlan *plan = slice_.planOf(call.expr);
    if (plan && (plan->site >= 0 || plan->is<CallPlan::Exit>()))
      return true;
    return llvm::any_of(call.callees, [&](FunctionId each) { return isBounded_[each]; });
  }

  bool nodeIsBounded(NodeId id) const {
    const auto &calls = callsOf(id);
    return closure_.isPresent(id) &&
           (program_.nodes[id].kind == Node::Kind::HandedOver || closure_.isHandedOver(id) ||
            slice_.ends.contains(program_.nodes[id].stmt) || llvm::any_of(calls, [&](CallId each) {
              return closure_.isCalled(each) && callIsBounded(each);
            }));
  }

  /// Where control goes next in the clone.
  std::vector<NodeId> after(NodeId id) const {
    const Node &node = program_.nodes[id];
    const bool isIn = node.isOperand ? closure_.isActive(node.group) : closure_.isPresent(id);
    if (!isIn && node.fallThrough != kNone)
      return {node.fallThrough};
    return node.successors;
  }

  /// The node, and those reached from it. Empty if \p leaves is true of one of these.
  template <class Leaves>
  std::optional<std::set<NodeId>> reachedFrom(NodeId from, const Leaves &leaves) const {
    Worklist<NodeId> open{from};
    while (const auto each = open.next())
      for (const NodeId next : after(*each)) {
        if (leaves(next))
          return std::nullopt;
        open.add(next);
      }
    return open.met();
  }

  void endInLoopsOf(const Function &function) {
    std::set<NodeId> endless;
    for (const NodeId each : function.nodes)
      if (comesBack(each) && isEndless(each, function))
        endless.insert(each);
    for (const NodeId each : endless)
      if (!isInside(each, endless))
        endAt(program_.nodes[each].stmt, program_.nodes[each].function,
              "no statement of the slice leaves this loop, in which nothing is prefetched");
  }

  /// Whether control comes back through this node: the condition of a loop, or a goto.
  bool comesBack(NodeId id) const {
    const Node &node = program_.nodes[id];
    return closure_.isPresent(id) && ((node.kind == Node::Kind::Predicate && isLoop(node.stmt)) ||
                                      clang::isa_and_nonnull<clang::GotoStmt>(node.stmt));
  }

  /// Whether control stays among nodes that all lead back to this one, and none of them can hold
  /// it.
  bool isEndless(NodeId id, const Function &function) const {
    const auto reached =
        reachedFrom(id, [&](NodeId each) { return each == function.exit || nodeIsBounded(each); });
    const auto leadsBack = [&](NodeId from) {
      return !reachedFrom(from, [&](NodeId each) { return each == id; });
    };
    return reached && llvm::all_of(*reached, leadsBack);
  }

  bool isInside(NodeId id, const std::set<NodeId> &others) const {
    for (NodeId outer = program_.nodes[id].enclosing; outer != kNone;
         outer = program_.nodes[outer].enclosing)
      if (others.contains(outer))
        return true;
    return false;
  }

  std::vector<bool> isBounded_; ///< by function
};

} // namespace

void planEnds(const Planner &shared) { EndPlanner(shared).plan(); }

} // namespace forerun::slicer
