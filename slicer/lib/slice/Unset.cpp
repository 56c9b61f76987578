// SPDX-License-Identifier: Apache-2.0
#include "slice/Unset.h"

#include "slice/KeptReferences.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Analysis/CFG.h>
#include <deque>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
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

/// What is known of all variables at one point: for each, if there is a path to it on which ...
struct State {
  explicit State(unsigned variables, bool isEntry)
      : unassigned(variables, isEntry), unnamed(variables, isEntry), given(variables),
        keptGiven(variables) {}

  llvm::BitVector unassigned; ///< the program does not assign to it
  llvm::BitVector unnamed;    ///< the clone does not name it
  llvm::BitVector given;      ///< the program may give it a value
  llvm::BitVector keptGiven;  ///< the clone may

  void declare(unsigned variable) {
    unassigned.set(variable);
    unnamed.set(variable);
    given.reset(variable);
    keptGiven.reset(variable);
  }
  void give(unsigned variable, bool isAssigned, bool isKept) {
    given.set(variable);
    if (isAssigned)
      unassigned.reset(variable);
    if (isKept) {
      keptGiven.set(variable);
      unnamed.reset(variable);
    }
  }
  void end() { *this = State(unassigned.size(), false); }
  bool join(const State &other) {
    const State before = *this;
    unassigned |= other.unassigned;
    unnamed |= other.unnamed;
    given |= other.given;
    keptGiven |= other.keptGiven;
    return !(before.unassigned == unassigned && before.unnamed == unnamed &&
             before.given == given && before.keptGiven == keptGiven);
  }
};

class Checker {
public:
  Checker(const clang::FunctionDecl &function, const Slice &slice,
          const std::set<const clang::CallExpr *> &ending)
      : function_(function), slice_(slice), ending_(ending),
        kept_(keptReferences(function, slice)) {
    classify(function.getBody(), uses_);
    for (const auto &[name, place] : kept_)
      if (const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl());
          variable && isChecked(*variable))
        numbers_.try_emplace(variable, static_cast<unsigned>(numbers_.size()));
    for (const auto &[stmt, all] : slice.handedOver) // given a value where its name does not occur
      for (const HandedOver &each : all)
        numbers_.erase(each.variable);
    unsigned next = 0;
    for (auto &[variable, number] : numbers_)
      number = next++;
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
           variable.getDeclContext() == &function_ && slice_.locals.count(&variable) > 0;
  }

  void solve(const clang::CFG &graph) {
    const auto variables = static_cast<unsigned>(numbers_.size());
    before_.assign(graph.getNumBlockIDs(), State(variables, false));
    std::vector<bool> isOpen(graph.getNumBlockIDs());
    before_.at(graph.getEntry().getBlockID()) = State(variables, true);
    for (std::deque<const clang::CFGBlock *> open{&graph.getEntry()}; !open.empty();) {
      const clang::CFGBlock &block = *open.front();
      open.pop_front();
      isOpen[block.getBlockID()] = false;
      State state = before_[block.getBlockID()];
      pass(block, state);
      for (const clang::CFGBlock *next : block.succs())
        if (next && before_[next->getBlockID()].join(state) && !isOpen[next->getBlockID()]) {
          isOpen[next->getBlockID()] = true;
          open.push_back(next);
        }
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
      state.give(*number, false, kept != kept_.end());
    else if (kept != kept_.end() && (use == Use::Reads || use == Use::Changes))
      read(*number, *kept->second, llvm::cast<clang::VarDecl>(*name.getDecl()), state);
  }

  void passDeclaration(const clang::Decl &declaration, State &state) {
    const auto number = numberOf(&declaration);
    if (!number)
      return;
    const auto &variable = llvm::cast<clang::VarDecl>(declaration);
    state.declare(*number);
    if (variable.getInit())
      state.give(*number, isScalar(variable), slice_.initialisers.count(&variable) > 0);
  }

  void passAssignment(const clang::Expr *to, State &state) {
    const auto *name = isName(to) ? nameIn(to) : nullptr;
    if (const auto number = name ? numberOf(name->getDecl()) : std::nullopt)
      state.give(*number, isScalar(llvm::cast<clang::VarDecl>(*name->getDecl())),
                 kept_.count(name) > 0);
  }

  /// After a call that ends only the clone, no value can be missing in it.
  void passCall(const clang::CallExpr &call, State &state) {
    const CallPlan *plan = slice_.planOf(&call);
    if (ending_.count(&call) > 0)
      return state.end();
    if (!plan || !plan->is<CallPlan::Exit>())
      return;
    state.unnamed.reset();
    state.keptGiven.set();
  }

  void read(unsigned variable, const clang::Stmt &place, const clang::VarDecl &declaration,
            const State &state) {
    const bool isNeverGiven = state.given.test(variable) && !state.keptGiven.test(variable);
    const bool isLeftOut = state.unnamed.test(variable) && !state.unassigned.test(variable);
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
