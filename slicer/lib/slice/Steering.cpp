// SPDX-License-Identifier: Apache-2.0
#include "slice/Steering.h"

#include "input/Traversal.h"
#include "models/Ids.h"

#include <algorithm>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <optional>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::isa;

namespace {

/// More are not tried: each costs a closure.
constexpr std::size_t kMostTried = 48;

bool isWritten(clang::SourceRange range, const clang::SourceManager &sources) {
  const auto isHere = [&](clang::SourceLocation place) {
    return place.isFileID() && sources.isInMainFile(place);
  };
  return isHere(range.getBegin()) && isHere(range.getEnd());
}

/// The statements behind which text can be inserted: children of blocks in a source, which no macro
/// makes.
class InBlocks : public Traversal {
public:
  explicit InBlocks(const clang::SourceManager &sources) : sources_(sources) {}

  std::set<const clang::Stmt *> found;

private:
  bool enterStmt(clang::Stmt &node) override {
    const auto *block = dyn_cast<clang::CompoundStmt>(&node);
    if (block && isWritten(block->getSourceRange(), sources_))
      for (const clang::Stmt *each : block->body())
        if (isWritten(each->getSourceRange(), sources_))
          found.insert(each);
    return !isa<clang::StmtExpr>(node);
  }

  const clang::SourceManager &sources_;
};

class Chooser {
public:
  Chooser(const Analysis &analysis, const Closure::Options &options)
      : analysis_(analysis), program_(analysis.program()), options_(options) {
    for (const Function &each : program_.functions)
      if (each.definition) {
        InBlocks inBlocks(each.definition->getASTContext().getSourceManager());
        inBlocks.traverse(each.definition->getBody());
        inBlocks_.merge(inBlocks.found);
      }
  }

  HandedStatements choose() {
    const Waits before = analysis_.closure().waits();
    if (before.receives + before.data == 0)
      return {};
    const std::vector<const clang::Stmt *> candidates = find();
    HandedStatements chosen(candidates.begin(), candidates.end());
    const auto most = waitsWith(chosen);
    if (!most || !most->isLessThan(before))
      return {};
    for (const clang::Stmt *each : candidates) {
      chosen.erase(each);
      if (const auto without = waitsWith(chosen); !without || !without->isNotMoreThan(*most))
        chosen.insert(each);
    }
    return chosen;
  }

private:
  /// In the order in which it is tried to do without them.
  std::vector<const clang::Stmt *> find() {
    std::vector<const clang::Stmt *> conditions, whole, floating;
    for (const NodeId id : ids(program_.nodes)) {
      const Node &node = program_.nodes[id];
      if (!node.stmt || node.function == 0 || node.group == kNone ||
          !analysis_.closure().isActive(node.group) || !analysis_.closure().isRepeated(id))
        continue;
      if (const clang::Expr *condition = conditionOf(node.stmt))
        addCondition(node, *condition, conditions);
      else if (const clang::VarDecl *variable = assignedBy(node.stmt))
        addAssignment(node, *variable, variable->getType()->isFloatingType() ? floating : whole);
    }
    std::vector<const clang::Stmt *> result = std::move(floating);
    result.insert(result.end(), whole.begin(), whole.end());
    result.insert(result.end(), conditions.begin(), conditions.end());
    if (result.size() > kMostTried)
      result.erase(result.begin(), result.end() - static_cast<std::ptrdiff_t>(kMostTried));
    return result;
  }

  void addCondition(const Node &node, const clang::Expr &condition,
                    std::vector<const clang::Stmt *> &to) const {
    const clang::ASTContext &ast = program_.functions[node.function].definition->getASTContext();
    bool value = false;
    if (node.kind == Node::Kind::Predicate && node.defs.empty() &&
        isWritten(condition.getSourceRange(), ast.getSourceManager()) &&
        !condition.EvaluateAsBooleanCondition(value, ast))
      to.push_back(node.stmt);
  }

  void addAssignment(const Node &node, const clang::VarDecl &variable,
                     std::vector<const clang::Stmt *> &to) const {
    if (node.defs.size() == 1 && inBlocks_.count(node.stmt) > 0 &&
        variable.getType()->isArithmeticType() && !variable.getType().isVolatileQualified())
      to.push_back(node.stmt);
  }

  /// Nothing if one of them cannot be handed over: what it calls has to be called all the same.
  std::optional<Waits> waitsWith(const HandedStatements &chosen) const {
    Closure::Options options = options_;
    options.handed = chosen;
    return analysis_.waitsWith(std::move(options));
  }

  const Analysis &analysis_;
  const Program &program_;
  const Closure::Options &options_;
  std::set<const clang::Stmt *> inBlocks_;
};

} // namespace

HandedStatements steering(const Analysis &analysis, const Closure::Options &options) {
  if (!analysis.isComplete() || !analysis.slice().main || analysis.slice().launch)
    return {};
  return Chooser(analysis, options).choose();
}

} // namespace forerun::slicer
