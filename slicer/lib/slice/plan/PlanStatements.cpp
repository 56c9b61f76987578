// SPDX-License-Identifier: Apache-2.0
#include "models/Ids.h"
#include "slice/needs/HandedStatements.h"
#include "slice/plan/Planner.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

namespace {

class StatementPlanner : Planner {
public:
  explicit StatementPlanner(const Planner &shared) : Planner(shared) {}

  void make() {
    for (const NodeId id : ids(program_.nodes))
      if (const Node &node = program_.nodes[id];
          node.function != 0 && node.group != kNone && closure_.speaksForAll(node.function)) {
        if (node.isOperand && closure_.isHandedItself(id))
          handOverWhatComesOf(node);
        else if (node.isOperand)
          leaveOut(id);
        else if (closure_.isPresent(id))
          add(id);
      }
    for (const GroupId id : ids(program_.groups))
      if (closure_.isActive(id)) {
        for (const clang::VarDecl *each : program_.groups[id].names)
          declare(each);
        for (const clang::Stmt *each : program_.groups[id].blocks)
          keepWhole(each);
      }
  }

private:
  /// Leaves the operand out, except for its calls that run, unless its value is needed.
  void leaveOut(NodeId id) {
    const Node &node = program_.nodes[id];
    if (!closure_.isActive(node.group))
      slice_.operands[node.stmt] = {node.valueLeftOut, callsIn(id)};
  }

  void add(NodeId id) {
    const Node &node = program_.nodes[id];
    if (node.kind == Node::Kind::HandedOver)
      return handOver(node, *node.variable, "forwarded after this: ");
    if (closure_.isHandedOver(id))
      return handOverWhatComesOf(node);
    if (node.kind == Node::Kind::Initialiser)
      return initialise(id);
    if (!node.stmt)
      return;
    slice_.statements.insert(node.stmt);
    if (node.kind == Node::Kind::Return)
      addReturn(id);
    else if (!closure_.isActive(node.group))
      slice_.extracts[node.stmt] = callsIn(id);
  }

  /// With its value, or the calls in it that run, and the jump if it is needed.
  void addReturn(NodeId id) {
    const Node &node = program_.nodes[id];
    if (hasValue(node))
      return;
    const bool isJump = closure_.isActive(node.group);
    if (isJump)
      slice_.bareReturns.insert(node.stmt);
    if (auto calls = callsIn(id); !isJump || !calls.empty())
      slice_.extracts[node.stmt] = std::move(calls);
  }

  void handOver(const Node &node, const clang::VarDecl &variable, const char *text) {
    const clang::Stmt *around =
        node.enclosing == kNone ? nullptr : program_.nodes[node.enclosing].stmt;
    const bool isBranch = around && llvm::is_contained(branchesOf(around), node.stmt);
    slice_.handedOver[node.stmt].push_back(
        {&variable, slice_.sites++, program_.functions[node.function].definition, isBranch});
    note(node.stmt, node.function, text + variable.getNameAsString());
  }

  void handOverWhatComesOf(const Node &node) {
    if (const clang::VarDecl *variable = assignedBy(node.stmt)) {
      declare(variable);
      return handOver(node, *variable, "forwarded after this, and predicted: ");
    }
    if (!node.isOperand)
      slice_.statements.insert(node.stmt);
    slice_.conditions[node.stmt] = {slice_.sites++, program_.functions[node.function].definition,
                                    closure_.staysWith(node.stmt)};
    note(node.stmt, node.function, "forwarded, and predicted: how this condition comes out");
  }

  void initialise(NodeId id) {
    const Node &node = program_.nodes[id];
    const clang::VarDecl *variable = node.variable->getCanonicalDecl();
    if (!closure_.isActive(node.group)) {
      slice_.extractedInits[variable] = callsIn(id);
      return;
    }
    slice_.locals.insert(variable);
    if (node.variable->getInit())
      slice_.initialisers.insert(variable);
  }

  void declare(const clang::VarDecl *variable) {
    if (variable->hasGlobalStorage() && !variable->isStaticLocal())
      return;
    slice_.locals.insert(variable);
    if (variable->isStaticLocal() && variable->getInit())
      slice_.initialisers.insert(variable);
  }

  /// Keeps everything inside a ({ ... }).
  void keepWhole(const clang::Stmt *stmt) {
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
        keepWhole(child);
  }

  /// The calls that run although the statement around them does not; in the order of evaluation.
  ExtractedCalls callsIn(NodeId node) const {
    ExtractedCalls result;
    for (const CallId id : callsOf(node))
      if (const Call &call = program_.calls[id];
          closure_.isCalled(id) && !closure_.isActive(call.group) && !call.isCallback)
        result.push_back({call.expr, guardsOf(call)});
    return result;
  }

  static std::vector<std::pair<const clang::Expr *, bool>> guardsOf(const Call &call) {
    std::vector<std::pair<const clang::Expr *, bool>> result;
    for (const Guard &each : call.guards)
      result.emplace_back(each.condition, each.holds);
    return result;
  }

  /// Whether the value of a return is needed; its group comes after the node's own.
  bool hasValue(const Node &node) const {
    for (auto id = static_cast<std::size_t>(node.group) + 1; id < program_.groups.size(); ++id) {
      if (&program_.nodes[program_.groups[id].node] != &node)
        return false;
      if (program_.groups[id].isReturnValue)
        return closure_.isActive(static_cast<GroupId>(id));
    }
    return false;
  }
};

} // namespace

void planStatements(const Planner &shared) { StatementPlanner(shared).make(); }

} // namespace forerun::slicer
