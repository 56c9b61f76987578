// SPDX-License-Identifier: Apache-2.0
#include "facts/Pointed.h"

#include "facts/IoCalls.h"
#include "input/Traversal.h"

namespace forerun::slicer {

using namespace clang;
using Kind = FunctionModel::Kind;

namespace {

std::string key(QualType type) {
  return type.getCanonicalType().getUnqualifiedType().getAsString();
}

/// Whether both calls are alike to the slice: arguments at the same place mean the same.
bool isAlike(const FunctionModel &one, const FunctionModel &other) {
  const IoArguments *at = ioArguments(one.name), *otherAt = ioArguments(other.name);
  return at && otherAt && *at == *otherAt && one.form == other.form &&
         one.nonblocking == other.nonblocking;
}

const FunctionDecl *named(const Expr *expr) {
  const auto *name = dyn_cast<DeclRefExpr>(expr->IgnoreParenCasts());
  return name ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr;
}

} // namespace

/// Finds where a function is named but not called, with each type that it is given there.
class Pointed::Finder : public Traversal {
public:
  Finder(std::map<std::string, Callees> &byType, const IsOwn &isOwn)
      : byType_(byType), isOwn_(isOwn) {}

private:
  bool enterStmt(Stmt &node) override {
    if (const auto *call = dyn_cast<CallExpr>(&node))
      called_.insert(call->getCallee()->IgnoreParenCasts());
    else if (const auto *cast = dyn_cast<CastExpr>(&node))
      enterCast(cast);
    else if (const auto *name = dyn_cast<DeclRefExpr>(&node))
      if (const auto *function = named(name))
        found(name, function, function->getType());
    return true;
  }

  void enterCast(const CastExpr *cast) {
    const FunctionDecl *function = named(cast);
    if (function && cast->getType()->isFunctionPointerType())
      found(cast, function, cast->getType()->getPointeeType());
  }

  void found(const Expr *expr, const FunctionDecl *function, QualType type) {
    if (called_.count(expr->IgnoreParenCasts()) > 0)
      return;
    Callees &callees = byType_[key(type)];
    if (isOwn_(function))
      callees.isOwn = true;
    else
      callees.names.insert(function->getNameAsString());
  }

  std::map<std::string, Callees> &byType_;
  const IsOwn &isOwn_;
  std::set<const Expr *> called_; ///< the callees of calls
};

Pointed::Pointed(const Units &units, const Models &models, const IsOwn &isOwn) {
  for (const Unit &unit : units)
    Finder(byType_, isOwn).traverse(unit.ast->getASTContext());
  for (auto &[type, callees] : byType_)
    judge(callees, models);
}

void Pointed::judge(Callees &callees, const Models &models) {
  const FunctionModel *first = nullptr;
  bool areAlike = !callees.isOwn;
  for (const std::string &name : callees.names) {
    const FunctionModel *model = models.find(name);
    const auto kind = model ? model->kind : Kind::Forward;
    // The main thread must have called fopen before, and says so at a site.
    const bool isStoodIn = kind == Kind::StandIn && model->standIn != "forerun_pre_fopen";
    if (isStoodIn)
      standIns_[name] = model->standIn;
    if (!isStoodIn && kind != Kind::Pure)
      mainOnly_.insert(name);
    if (kind == Kind::Io || kind == Kind::Twin)
      callees.toldApart.insert(name);
    else
      callees.isCallable &= mainOnly_.count(name) == 0;
    areAlike &= model && (!first || isAlike(*first, *model)) && !StringRef(name).contains("_Init");
    first = first ? first : model;
  }
  if (areAlike && first)
    callees.only = *callees.names.begin();
}

const Pointed::Callees *Pointed::callees(QualType type) const {
  const auto known = byType_.find(key(type));
  return known == byType_.end() || known->second.names.empty() ? nullptr : &known->second;
}

} // namespace forerun::slicer
