// SPDX-License-Identifier: Apache-2.0
#include "slice/forwarding/Forwarding.h"

#include "input/Traversal.h"
#include "models/Ids.h"
#include "slice/plan/PlanOutput.h"

#include <algorithm>
#include <clang/AST/Expr.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::dyn_cast_or_null;
using clang::isa;

namespace {

const Gain kSmaller{{}, {{&Cost::statements}}};

/// What is handed over after which statements: children of blocks in a unit's main file.
using Handovers = std::map<const clang::Stmt *, std::vector<const clang::VarDecl *>>;

/// What a statement does, or a function including all that it calls.
struct Work {
  bool opens = false;  ///< it opens a file that the slice opens as well
  bool isLong = false; ///< it has a loop, or calls of MPI-IO that do more than open
};

/// Calls in a statement, and whether it has loops.
class Parts : public Traversal {
public:
  explicit Parts(const clang::Stmt &stmt) { traverse(&stmt); }

  std::vector<const clang::CallExpr *> calls;
  bool hasLoop = false;

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *call = dyn_cast<clang::CallExpr>(&node))
      calls.push_back(call);
    hasLoop |= isa<clang::ForStmt, clang::WhileStmt, clang::GotoStmt>(node);
    if (const auto *loop = dyn_cast<clang::DoStmt>(&node))
      hasLoop |= !isOfMacro(*loop);
    return true;
  }

  /// do { ... } while (0) is not a loop.
  static bool isOfMacro(const clang::DoStmt &loop) {
    const auto *condition = dyn_cast<clang::IntegerLiteral>(loop.getCond()->IgnoreParenCasts());
    return condition && condition->getValue() == 0;
  }
};

class Finder {
public:
  explicit Finder(const Analysis &analysis) : analysis_(analysis), program_(analysis.program()) {
    for (const CallId id : ids(program_.calls))
      if (program_.calls[id].expr)
        calls_[program_.calls[id].expr].push_back(id);
    for (const GroupId id : ids(program_.groups))
      if (analysis.closure().isActive(id))
        for (const clang::VarDecl *each : program_.groups[id].names)
          named_.insert(each->getCanonicalDecl());
  }

  Handovers find() {
    for (const FunctionId id : ids(program_.functions))
      if (const auto *definition = program_.functions[id].definition;
          definition && (id == program_.main || analysis_.closure().hasClone(id)))
        inFunction(*definition);
    return std::move(found_);
  }

private:
  /// By name, the variables that are visible and can be handed over.
  using Visible = std::map<llvm::StringRef, const clang::VarDecl *>;

  void inFunction(const clang::FunctionDecl &function) {
    const clang::ASTContext &ast = function.getASTContext();
    Visible visible = globalsOf(ast);
    for (const clang::ParmVarDecl *each : function.parameters())
      declare(visible, *each);
    sources_ = &ast.getSourceManager();
    visit(function.getBody(), visible);
  }

  const Visible &globalsOf(const clang::ASTContext &ast) {
    const auto [known, isNew] = globals_.try_emplace(&ast);
    if (isNew)
      for (const clang::Decl *each : ast.getTranslationUnitDecl()->decls())
        if (const auto *variable = dyn_cast<clang::VarDecl>(each);
            variable && variable->hasDefinition() != clang::VarDecl::DeclarationOnly)
          declare(known->second, *variable);
    return known->second;
  }

  void declare(Visible &visible, const clang::VarDecl &variable) const {
    if (named_.contains(variable.getCanonicalDecl()) && !variable.isStaticLocal() &&
        canBeHandedOver(variable))
      visible[variable.getName()] = variable.getCanonicalDecl();
    else
      visible.erase(variable.getName());
  }
  static void hide(Visible &visible, const clang::Stmt *stmt) {
    if (const auto *declaration = dyn_cast_or_null<clang::DeclStmt>(stmt))
      for (const clang::Decl *each : declaration->decls())
        if (const auto *named = dyn_cast<clang::NamedDecl>(each); named && named->getIdentifier())
          visible.erase(named->getName());
  }
  void declareAll(Visible &visible, const clang::Stmt *stmt) const {
    hide(visible, stmt);
    if (const auto *declaration = dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<clang::VarDecl>(each))
          declare(visible, *variable);
  }

  void visit(const clang::Stmt *stmt, const Visible &visible) {
    if (!stmt || isa<clang::Expr>(stmt)) // nothing can be inserted into ({ ... })
      return;
    if (const auto *block = dyn_cast<clang::CompoundStmt>(stmt))
      return inBlock(*block, visible);
    if (const auto *loop = dyn_cast<clang::ForStmt>(stmt)) {
      Visible inside = visible;
      hide(inside, loop->getInit()); // the loop computes its counter in any case
      return visitAll(*stmt, inside);
    }
    visitAll(*stmt, visible);
  }

  void visitAll(const clang::Stmt &stmt, const Visible &visible) {
    for (const clang::Stmt *each : stmt.children())
      visit(each, visible);
  }

  void inBlock(const clang::CompoundStmt &block, Visible visible) {
    if (block.getLBracLoc().isMacroID() ||
        sources_->getFileID(block.getLBracLoc()) != sources_->getMainFileID())
      return;
    for (auto each = block.body_begin(); each != block.body_end(); ++each) {
      declareAll(visible, *each);
      const bool ends = each + 1 == block.body_end() || !isOneExpansion(**each, **(each + 1));
      if (ends && isOpening(**each))
        offer(**each, visible);
      else
        visit(*each, visible);
    }
  }

  /// Both are one macro expansion: text after the first would come after the second.
  bool isOneExpansion(const clang::Stmt &first, const clang::Stmt &second) const {
    return sources_->getExpansionLoc(first.getBeginLoc()) ==
           sources_->getExpansionLoc(second.getBeginLoc());
  }

  bool isOpening(const clang::Stmt &stmt) {
    if (isa<clang::SwitchCase, clang::LabelStmt, clang::ReturnStmt, clang::BreakStmt,
            clang::ContinueStmt, clang::GotoStmt>(stmt))
      return false;
    const Work work = workOf(stmt);
    return work.opens && !work.isLong;
  }

  Work workOf(const clang::Stmt &stmt) {
    const Parts parts(stmt);
    Work work{.isLong = parts.hasLoop};
    for (const clang::CallExpr *expr : parts.calls)
      for (const CallId each : calls_[expr])
        add(work, program_.calls[each]);
    return work;
  }

  Work workOf(FunctionId id) {
    const auto [known, isNew] = works_.try_emplace(id); // recursion adds nothing
    if (isNew)
      known->second = workOf(*program_.functions[id].definition->getBody());
    return known->second;
  }

  void add(Work &work, const Call &call) {
    const bool isIo = call.is(FunctionModel::Kind::Io);
    const CallPlan *plan = analysis_.slice().planOf(call.expr);
    if (isIo && call.model->form == FunctionModel::Form::Open)
      work.opens |= plan && plan->isIo();
    else
      work.isLong |= isIo || call.isCallback;
    for (const FunctionId callee : call.callees)
      if (program_.functions[callee].definition) {
        const Work its = workOf(callee);
        work.opens |= its.opens;
        work.isLong |= its.isLong;
      }
  }

  void offer(const clang::Stmt &stmt, const Visible &visible) {
    std::vector<const clang::VarDecl *> variables;
    for (const auto &[name, variable] : visible)
      variables.push_back(variable);
    if (!variables.empty())
      found_[&stmt] = std::move(variables);
  }

  const Analysis &analysis_;
  const Program &program_;
  std::map<const clang::CallExpr *, std::vector<CallId>> calls_;
  std::set<const clang::VarDecl *> named_; ///< by groups that are kept
  std::map<FunctionId, Work> works_;
  std::map<const clang::ASTContext *, Visible> globals_;
  const clang::SourceManager *sources_ = nullptr;
  Handovers found_;
};

} // namespace

std::unique_ptr<Analysis> handingOver(const Analysis &found, const Units &units,
                                      const Models &models, Overrides overrides,
                                      const Analysis::Limits &limits, Closure::Options options) {
  if (!found.canHandOverMore())
    return nullptr;
  const Handovers all = Finder(found).find();
  if (all.empty())
    return nullptr;
  for (const auto &[stmt, variables] : all) {
    auto &known = overrides.forwarded[stmt];
    std::copy_if(variables.begin(), variables.end(), std::back_inserter(known),
                 [&](auto *each) { return !llvm::is_contained(known, each); });
  }
  auto result = std::make_unique<Analysis>(units, models, std::move(overrides), limits);
  result->take(std::move(options));
  if (!result->isComplete() || !kSmaller.isGained(result->cost(), found.cost()))
    return nullptr;
  result->compareWith(found);
  return result;
}

} // namespace forerun::slicer
