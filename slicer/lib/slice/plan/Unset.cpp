// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/Unset.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Analysis/CFG.h>
#include <clang/Analysis/FlowSensitive/DataflowWorklist.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <optional>

namespace forerun::slicer {

using clang::dyn_cast;

namespace {

/// What an occurrence of a variable's name does to the variable.
enum class Use {
  Gives,   ///< its address is taken, a part of it is written: it may have a value from here on
  Reads,   ///< its value, or that of a part, is read
  Changes, ///< it is read and given another value (x += 1)
  Assigns, ///< it is only given a value
  Nothing, ///< sizeof x, (void)x
};

/// The name of the variable that the expression denotes in whole or in part; otherwise null.
const clang::DeclRefExpr *nameIn(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *member = dyn_cast<clang::MemberExpr>(expr))
    return member->isArrow() ? nullptr : nameIn(member->getBase());
  if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const auto *decay = dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    return decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay
               ? nameIn(decay->getSubExpr())
               : nullptr;
  }
  return dyn_cast<clang::DeclRefExpr>(expr);
}

bool isName(const clang::Expr *expr) {
  return clang::isa<clang::DeclRefExpr>(expr->IgnoreParens());
}

/// Classifies all names below a statement; a name that gets no entry may give a value.
using Uses = llvm::DenseMap<const clang::DeclRefExpr *, Use>;
void classify(const clang::Stmt *stmt, Uses &uses) {
  if (!stmt)
    return;
  const auto found = [&](const clang::Expr *expr, Use use) {
    if (const auto *name = nameIn(expr))
      uses.try_emplace(name, use);
  };
  if (const auto *sized = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(stmt)) {
    if (!sized->isArgumentType())
      found(sized->getArgumentExpr(), Use::Nothing);
    return;
  }
  if (const auto *cast = dyn_cast<clang::CastExpr>(stmt)) {
    const bool isRead = cast->getCastKind() == clang::CK_LValueToRValue;
    if (isRead && !cast->getType()->isRecordType())
      found(cast->getSubExpr(), Use::Reads);
    else if (isRead || cast->getCastKind() == clang::CK_ToVoid)
      found(cast->getSubExpr(), Use::Nothing);
  } else if (const auto *op = dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) {
    if (isName(op->getLHS()))
      found(op->getLHS(), op->isCompoundAssignmentOp() ? Use::Changes : Use::Assigns);
  } else if (const auto *step = dyn_cast<clang::UnaryOperator>(stmt);
             step && step->isIncrementDecrementOp() && isName(step->getSubExpr())) {
    found(step->getSubExpr(), Use::Changes);
  }
  for (const clang::Stmt *each : stmt->children())
    classify(each, uses);
}

/// What is known of a variable at one point: whether there is a path to it on which ...
struct Known {
  bool unassigned = false; ///< the program does not assign to it
  bool unnamed = false;    ///< the clone does not name it
  bool given = false;      ///< the program may give it a value
  bool keptGiven = false;  ///< the clone may

  bool operator==(const Known &) const = default;
  void give(bool isAssigned, bool isKept) {
    given = true;
    unassigned = unassigned && !isAssigned;
    keptGiven = keptGiven || isKept;
    unnamed = unnamed && !isKept;
  }
};

constexpr Known kDeclared{.unassigned = true, .unnamed = true};
using State = std::vector<Known>; ///< by variable

/// True if something is new.
bool join(State &state, const State &other) {
  const State before = state;
  for (const auto &[each, from] : llvm::zip_equal(state, other))
    each = {each.unassigned || from.unassigned, each.unnamed || from.unnamed,
            each.given || from.given, each.keptGiven || from.keptGiven};
  return state != before;
}

class Checker {
public:
  Checker(const clang::FunctionDecl &function, const Slice &slice,
          const std::set<const clang::CallExpr *> &ending)
      : function_(function), slice_(slice), ending_(ending),
        kept_(keptReferences(function, slice)) {
    classify(function.getBody(), uses_);
    std::set<const clang::VarDecl *> handed; // given a value where its name does not occur
    for (const auto &[stmt, all] : slice.handedOver)
      for (const HandedOver &each : all)
        handed.insert(each.variable);
    for (const auto &[name, place] : kept_)
      if (const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl());
          variable && isChecked(*variable) && !handed.contains(variable))
        numbers_.try_emplace(variable, static_cast<unsigned>(numbers_.size()));
  }

  void check(std::vector<Unset> &found) {
    if (numbers_.empty())
      return;
    clang::CFG::BuildOptions options;
    options.setAllAlwaysAdd();
    const auto graph =
        clang::CFG::buildCFG(&function_, function_.getBody(), &function_.getASTContext(), options);
    if (!graph)
      return;
    solve(*graph);
    found_ = &found;
    for (const clang::CFGBlock *block : *graph) {
      State state = before_.at(block->getBlockID());
      pass(*block, state);
    }
  }

private:
  /// Parameters and static variables always have values.
  bool isChecked(const clang::VarDecl &variable) const {
    return variable.isLocalVarDecl() && variable.hasLocalStorage() &&
           variable.getDeclContext() == &function_ && slice_.locals.contains(&variable);
  }

  void solve(const clang::CFG &graph) {
    before_.assign(graph.getNumBlockIDs(), State(numbers_.size()));
    before_.at(graph.getEntry().getBlockID()) = State(numbers_.size(), kDeclared);
    clang::PostOrderCFGView order(&graph);
    clang::ForwardDataflowWorklist open(graph, &order);
    for (open.enqueueBlock(&graph.getEntry()); const clang::CFGBlock *block = open.dequeue();) {
      State state = before_[block->getBlockID()];
      pass(*block, state);
      for (const clang::CFGBlock *next : block->succs())
        if (next && join(before_[next->getBlockID()], state))
          open.enqueueBlock(next);
    }
  }

  /// From the block's beginning to its end.
  void pass(const clang::CFGBlock &block, State &state) {
    for (const clang::CFGElement &element : block)
      if (const auto stmt = element.getAs<clang::CFGStmt>())
        pass(*stmt->getStmt(), state);
  }

  void pass(const clang::Stmt &stmt, State &state) {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&stmt))
      return passName(*name, state);
    if (const auto *declaration = dyn_cast<clang::DeclStmt>(&stmt)) {
      for (const clang::Decl *each : declaration->decls())
        passDeclaration(*each, state);
    } else if (const auto *op = dyn_cast<clang::BinaryOperator>(&stmt);
               op && op->isAssignmentOp()) {
      passAssignment(op->getLHS(), state);
    } else if (const auto *step = dyn_cast<clang::UnaryOperator>(&stmt);
               step && step->isIncrementDecrementOp()) {
      passAssignment(step->getSubExpr(), state);
    } else if (const auto *call = dyn_cast<clang::CallExpr>(&stmt)) {
      passCall(*call, state);
    }
  }

  void passName(const clang::DeclRefExpr &name, State &state) {
    const auto number = numberOf(name.getDecl());
    const auto kept = kept_.find(&name);
    const auto known = uses_.find(&name);
    const Use use = known == uses_.end() ? Use::Gives : known->second;
    if (!number)
      return;
    if (use == Use::Gives)
      state[*number].give(false, kept != kept_.end());
    else if (kept != kept_.end() && (use == Use::Reads || use == Use::Changes))
      read(*number, *kept->second, llvm::cast<clang::VarDecl>(*name.getDecl()), state);
  }

  void passDeclaration(const clang::Decl &declaration, State &state) {
    const auto number = numberOf(&declaration);
    if (!number)
      return;
    const auto &variable = llvm::cast<clang::VarDecl>(declaration);
    state[*number] = kDeclared;
    if (variable.getInit())
      state[*number].give(isScalar(variable), slice_.initialisers.contains(&variable));
  }

  void passAssignment(const clang::Expr *to, State &state) {
    const auto *name = isName(to) ? nameIn(to) : nullptr;
    if (const auto number = name ? numberOf(name->getDecl()) : std::nullopt)
      state[*number].give(isScalar(llvm::cast<clang::VarDecl>(*name->getDecl())),
                          kept_.contains(name));
  }

  /// After a call that ends only the clone, no value can be missing in it.
  void passCall(const clang::CallExpr &call, State &state) {
    const CallPlan *plan = slice_.planOf(&call);
    if (ending_.contains(&call))
      state.assign(state.size(), {});
    else if (plan && plan->is<CallPlan::Exit>())
      for (Known &each : state) {
        each.unnamed = false;
        each.keptGiven = true;
      }
  }

  void read(unsigned variable, const clang::Stmt &place, const clang::VarDecl &declaration,
            const State &state) {
    const Known &known = state[variable];
    const bool isNeverGiven = known.given && !known.keptGiven;
    const bool isLeftOut = known.unnamed && !known.unassigned;
    if (found_ && (isNeverGiven || isLeftOut))
      found_->push_back({&function_, &place, &declaration});
  }

  /// For a structure or an array, no single assignment shows that all of it has a value.
  static bool isScalar(const clang::VarDecl &variable) {
    return variable.getType()->isScalarType();
  }

  std::optional<unsigned> numberOf(const clang::Decl *declaration) const {
    const auto *variable = dyn_cast<clang::VarDecl>(declaration);
    const auto known = numbers_.find(variable);
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }

  const clang::FunctionDecl &function_;
  const Slice &slice_;
  const std::set<const clang::CallExpr *> &ending_;
  const KeptReferences kept_;
  Uses uses_;
  std::map<const clang::VarDecl *, unsigned> numbers_; ///< of the variables that kept text names
  std::vector<State> before_;                          ///< by block
  std::vector<Unset> *found_ = nullptr;                ///< null while solving
};

} // namespace

std::vector<Unset> findUnset(const Slice &slice, const std::set<const clang::CallExpr *> &ending) {
  std::vector<Unset> found;
  for (const clang::FunctionDecl *each : slice.clones)
    Checker(*each, slice, ending).check(found);
  return found;
}

} // namespace forerun::slicer
