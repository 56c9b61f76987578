// SPDX-License-Identifier: Apache-2.0
#include "facts/Frame.h"

#include "facts/IoCalls.h"
#include "input/Traversal.h"
#include "models/Models.h"
#include "models/Worklist.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace forerun::slicer {

using clang::dyn_cast;

namespace {

/// Whether values of this type contain pointers to functions.
bool hasFunctions(clang::QualType type) {
  if (type->isFunctionPointerType())
    return true;
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return hasFunctions(array->getElementType());
  const auto *record = type->getAsRecordDecl();
  return record != nullptr &&
         std::any_of(record->field_begin(), record->field_end(),
                     [](const clang::FieldDecl *field) { return hasFunctions(field->getType()); });
}

} // namespace

/// What one function, or one initialiser, names.
class Frame::Names : public Traversal {
public:
  Names(Entity &of, const Models &models) : of_(of), models_(models) {}

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&node))
      enterName(name);
    else if (const auto *call = dyn_cast<clang::CallExpr>(&node))
      enterCall(call);
    else if (const auto *cast = dyn_cast<clang::ImplicitCastExpr>(&node))
      enterCast(cast);
    else if (const auto *binary = dyn_cast<clang::BinaryOperator>(&node))
      of_.storesPointers |= binary->isAssignmentOp() && hasFunctions(binary->getType());
    return true;
  }

  void enterName(const clang::DeclRefExpr *name) {
    if (const auto *function = dyn_cast<clang::FunctionDecl>(name->getDecl())) {
      of_.names.insert(keyOf(function));
      of_.isSeed |= isSeed(function->getName());
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

  /// All functions of a library with a twin are seeds: what they give means nothing to the twin.
  bool isSeed(llvm::StringRef function) const {
    const FunctionModel *const model = models_.find(function);
    return ioArguments(function) || startsMpi(function) ||
           (model && model->kind == FunctionModel::Kind::Twin);
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
  const Models &models_;
  std::set<const clang::DeclRefExpr *> called_, read_; ///< noted before the traversal reaches them
};

Frame::Frame(const Units &units, const Models &models, const clang::FunctionDecl *launchIn) {
  for (const Unit &unit : units)
    collect(unit, models);
  if (launchIn)
    entities_[keyOf(launchIn)].isSeed = true;
  keepWhatLeads();
}

Frame::Key Frame::keyOf(const clang::NamedDecl *declaration) {
  if (declaration->hasExternalFormalLinkage())
    return {nullptr, declaration->getNameAsString()};
  return {declaration->getCanonicalDecl(), ""};
}

void Frame::collect(const Unit &unit, const Models &models) {
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
      Names(entity, models).traverse(function->getBody());
    } else if (variable && variable->hasInit()) {
      Names(entities_[keyOf(variable)], models).traverse(variable->getInit());
    }
  }
}

/// Whatever names a kept entity is kept. If pointers point to a kept function, so is whatever calls
/// through pointers or stores pointers to functions.
void Frame::keepWhatLeads() {
  std::map<Key, std::set<Key>> namedBy;
  for (const auto &[key, entity] : entities_) {
    pointed_.insert(entity.taken.begin(), entity.taken.end());
    for (const Key &each : entity.names)
      namedBy[each].insert(key);
  }
  Worklist<Key> open;
  for (const auto &[key, entity] : entities_)
    if (entity.isSeed)
      open.add(key);
  bool byPointer = false;
  while (const auto each = open.next()) {
    open.addAll(namedBy[*each]);
    if (byPointer || pointed_.count(*each) == 0)
      continue;
    byPointer = true;
    for (const auto &[key, entity] : entities_)
      if (entity.callsByPointer || entity.storesPointers)
        open.add(key);
  }
  kept_ = open.met();
  kept_.insert(pointed_.begin(), pointed_.end());
}

bool Frame::leavesOut(const clang::FunctionDecl *function) const {
  const auto known = entities_.find(keyOf(function));
  return known != entities_.end() && known->second.isFunction && !has(function);
}

std::vector<const clang::VarDecl *> Frame::changedBy(const clang::FunctionDecl *function) const {
  std::map<Key, const clang::VarDecl *> changed;
  Worklist<Key> open{keyOf(function)};
  while (const auto each = open.next()) {
    const auto known = entities_.find(*each);
    if (known == entities_.end())
      continue;
    const Entity &entity = known->second;
    changed.insert(entity.changed.begin(), entity.changed.end());
    open.addAll(entity.names);
    if (entity.callsByPointer)
      open.addAll(pointed_);
  }
  std::vector<const clang::VarDecl *> result;
  for (const auto &[key, variable] : changed)
    result.push_back(variable);
  std::sort(result.begin(), result.end(), [](const auto *one, const auto *other) {
    const auto place = [](const auto *variable) { // not by address: the output must be reproducible
      return std::pair(variable->getName(), variable->getLocation().printToString(
                                                variable->getASTContext().getSourceManager()));
    };
    return place(one) < place(other);
  });
  return result;
}

} // namespace forerun::slicer
