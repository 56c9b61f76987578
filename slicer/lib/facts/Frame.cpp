// SPDX-License-Identifier: Apache-2.0
#include "facts/Frame.h"

#include "facts/IoCalls.h"
#include "input/Traversal.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace forerun::slicer {

using clang::dyn_cast;

/// What one function, or one initialiser, names.
class Frame::Names : public Traversal {
public:
  explicit Names(Entity &of) : of_(of) {}

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&node))
      enterName(name);
    else if (const auto *call = dyn_cast<clang::CallExpr>(&node))
      enterCall(call);
    else if (const auto *cast = dyn_cast<clang::ImplicitCastExpr>(&node))
      enterCast(cast);
    return true;
  }

  void enterName(const clang::DeclRefExpr *name) {
    if (const auto *function = dyn_cast<clang::FunctionDecl>(name->getDecl())) {
      of_.names.insert(keyOf(function));
      of_.isSeed |= ioArguments(function->getName()) || startsMpi(function->getName());
      if (called_.count(name) == 0)
        of_.taken.insert(keyOf(function));
    } else if (const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl());
               variable && variable->hasGlobalStorage()) {
      of_.names.insert(keyOf(variable));
      if (read_.count(name) == 0 && !variable->isStaticLocal() &&
          !variable->getType().isConstQualified())
        of_.changed.emplace(keyOf(variable), variable->getCanonicalDecl());
    }
  }

  void enterCall(const clang::CallExpr *call) {
    const auto *callee = dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (callee && clang::isa<clang::FunctionDecl>(callee->getDecl()))
      called_.insert(callee);
    else
      of_.callsByPointer = true;
  }

  /// Notes variables of which only the value, or that of a member or an element, is read.
  void enterCast(const clang::ImplicitCastExpr *cast) {
    if (cast->getCastKind() != clang::CK_LValueToRValue)
      return;
    const clang::Expr *part = cast->getSubExpr()->IgnoreParens();
    while (true) {
      if (const auto *member = dyn_cast<clang::MemberExpr>(part); member && !member->isArrow())
        part = member->getBase()->IgnoreParens();
      else if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(part))
        part = element->getBase()->IgnoreParenImpCasts();
      else
        break;
    }
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(part))
      read_.insert(name);
  }

  Entity &of_;
  std::set<const clang::DeclRefExpr *> called_, read_; ///< met before what is inside of them
};

Frame::Frame(const Units &units, const clang::FunctionDecl *launchIn) {
  for (const Unit &unit : units)
    collect(unit);
  if (launchIn)
    entities_[keyOf(launchIn)].isSeed = true;
  keepWhatLeads();
}

Frame::Key Frame::keyOf(const clang::NamedDecl *declaration) {
  if (declaration->hasExternalFormalLinkage())
    return {nullptr, declaration->getNameAsString()};
  return {declaration->getCanonicalDecl(), ""};
}

void Frame::collect(const Unit &unit) {
  const clang::ASTContext &ast = unit.ast->getASTContext();
  for (clang::Decl *each : ast.getTranslationUnitDecl()->decls()) {
    if (ast.getSourceManager().isInSystemHeader(each->getLocation()))
      continue;
    auto *function = dyn_cast<clang::FunctionDecl>(each);
    auto *variable = dyn_cast<clang::VarDecl>(each);
    if (function && function->doesThisDeclarationHaveABody()) {
      Entity &entity = entities_[keyOf(function)];
      entity.isFunction = true;
      entity.isSeed |= function->isMain();
      Names(entity).traverse(function->getBody());
    } else if (variable && variable->hasInit()) {
      Names(entities_[keyOf(variable)]).traverse(variable->getInit());
    }
  }
}

/// What names something that leads to MPI-IO leads there too; what calls through pointers may, if
/// any function leads there that pointers point to.
void Frame::keepWhatLeads() {
  std::map<Key, std::set<Key>> namedBy;
  for (const auto &[key, entity] : entities_) {
    pointed_.insert(entity.taken.begin(), entity.taken.end());
    for (const Key &each : entity.names)
      namedBy[each].insert(key);
  }
  std::vector<Key> open;
  for (const auto &[key, entity] : entities_)
    if (entity.isSeed)
      open.push_back(key);
  for (bool byPointer = false; !open.empty();) {
    const Key each = open.back();
    open.pop_back();
    if (!kept_.insert(each).second)
      continue;
    const auto &by = namedBy[each];
    open.insert(open.end(), by.begin(), by.end());
    if (byPointer || pointed_.count(each) == 0)
      continue;
    byPointer = true;
    for (const auto &[key, entity] : entities_)
      if (entity.callsByPointer)
        open.push_back(key);
  }
  kept_.insert(pointed_.begin(), pointed_.end());
}

bool Frame::leavesOut(const clang::FunctionDecl *function) const {
  const auto known = entities_.find(keyOf(function));
  return known != entities_.end() && known->second.isFunction && !has(function);
}

std::vector<const clang::VarDecl *> Frame::changedBy(const clang::FunctionDecl *function) const {
  std::map<Key, const clang::VarDecl *> changed;
  std::set<Key> met;
  bool byPointer = false;
  for (std::vector<Key> open{keyOf(function)}; !open.empty();) {
    const Key each = open.back();
    open.pop_back();
    const auto known = entities_.find(each);
    if (known == entities_.end() || !met.insert(each).second)
      continue;
    const Entity &entity = known->second;
    changed.insert(entity.changed.begin(), entity.changed.end());
    open.insert(open.end(), entity.names.begin(), entity.names.end());
    if (entity.callsByPointer && !std::exchange(byPointer, true))
      open.insert(open.end(), pointed_.begin(), pointed_.end());
  }
  std::vector<const clang::VarDecl *> result;
  for (const auto &[key, variable] : changed)
    result.push_back(variable);
  std::sort(result.begin(), result.end(), [](const auto *one, const auto *other) {
    return one->getName() < other->getName(); // not by address: the output must be reproducible
  });
  return result;
}

} // namespace forerun::slicer
