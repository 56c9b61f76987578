// SPDX-License-Identifier: Apache-2.0
#include "input/Overrides.h"

#include "input/StmtKinds.h"
#include "input/Traversal.h"

#include <algorithm>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::isa;

namespace {

class Calls : public Traversal {
public:
  explicit Calls(std::set<const clang::CallExpr *> &found) : found_(found) {}

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *call = dyn_cast<clang::CallExpr>(&node))
      found_.insert(call);
    return true;
  }

  std::set<const clang::CallExpr *> &found_;
};

bool hasPointers(clang::QualType type) {
  type = type.getCanonicalType();
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return hasPointers(array->getElementType());
  if (const auto *record = type->getAsRecordDecl())
    return std::any_of(record->field_begin(), record->field_end(),
                       [](const auto *field) { return hasPointers(field->getType()); });
  return type->isPointerType();
}

bool isJump(const clang::Stmt *stmt) {
  return isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(stmt);
}

/// Resolves the pragmas of one unit.
class Resolver {
public:
  Resolver(const Units &units, const Unit &unit, Overrides &result)
      : units_(units), ast_(unit.ast->getASTContext()), sources_(ast_.getSourceManager()),
        result_(result) {}

  bool resolve(const Pragma &pragma) {
    pragma_ = &pragma;
    at_ = sources_.getDecomposedLoc(sources_.getExpansionLoc(pragma.where));
    const clang::FunctionDecl *function = functionAround();
    return function ? inFunction(function) : atFileLevel();
  }

private:
  using Place = std::pair<clang::FileID, unsigned>;

  Place placeOf(clang::SourceLocation location) const {
    return sources_.getDecomposedLoc(sources_.getExpansionLoc(location));
  }
  bool isAfter(clang::SourceLocation location) const {
    const Place place = placeOf(location);
    return place.first == at_.first && place.second > at_.second;
  }
  bool isInside(clang::SourceRange range) const {
    const Place begin = placeOf(range.getBegin());
    return begin.first == at_.first && begin.second < at_.second && isAfter(range.getEnd());
  }

  const clang::FunctionDecl *functionAround() const {
    for (const clang::Decl *each : ast_.getTranslationUnitDecl()->decls())
      if (const auto *function = dyn_cast<clang::FunctionDecl>(each);
          function && function->doesThisDeclarationHaveABody() &&
          isInside(function->getBody()->getSourceRange()))
        return function;
    return nullptr;
  }

  /// The next declaration must be the function.
  bool atFileLevel() {
    const clang::Decl *next = nullptr;
    for (const clang::Decl *each : ast_.getTranslationUnitDecl()->decls())
      if (isAfter(each->getBeginLoc()) &&
          (!next || placeOf(each->getBeginLoc()) < placeOf(next->getBeginLoc())))
        next = each;
    if (pragma_->kind != Pragma::Kind::Ignore)
      return fail("it must be in the body of a function, before a statement");
    const auto *function = dyn_cast_or_null<clang::FunctionDecl>(next);
    if (!function || !function->doesThisDeclarationHaveABody())
      return fail("neither a function with a body nor a statement follows: put it before one");
    ignore(function->getBody());
    return true;
  }

  bool inFunction(const clang::FunctionDecl *function) {
    around_.clear();
    for (const clang::Stmt *inner = function->getBody(); inner;) {
      around_.push_back(inner);
      const auto children = inner->children();
      const auto next = std::find_if(children.begin(), children.end(), [&](const auto *each) {
        return each && isInside(each->getSourceRange());
      });
      inner = next == children.end() ? nullptr : *next;
    }
    const auto places = statementsIn(around_.back());
    const auto next = std::find_if(places.begin(), places.end(), [&](const auto *each) {
      return each && isAfter(each->getBeginLoc());
    });
    if (next == places.end())
      return fail(places.empty() ? "it is inside a statement: put it before that"
                                 : "no statement follows in this block: put it before one");
    if (pragma_->kind == Pragma::Kind::Ignore) {
      ignore(*next);
      return true;
    }
    return isEditable(*next) && (pragma_->kind == Pragma::Kind::Launch ? launch(*next, function)
                                                                       : forward(*next, function));
  }

  void ignore(const clang::Stmt *stmt) { Calls(result_.ignored).traverse(stmt); }

  /// Whether text can be inserted around the statement.
  bool isEditable(const clang::Stmt *next) {
    if (at_.first != sources_.getMainFileID())
      return fail("it is in a header, which is not changed: put it into a source file");
    if (std::any_of(around_.begin(), around_.end(),
                    [](const auto *each) { return isa<clang::StmtExpr>(each); }))
      return fail("it is inside '({ ... })': put it before the whole statement");
    if (!isa<clang::CompoundStmt>(around_.back()))
      return fail("put braces around the statement that follows, and the pragma inside");
    if (isa<clang::SwitchCase>(next))
      return fail("a label of a switch follows: put it after that");
    return true;
  }

  bool launch(const clang::Stmt *next, const clang::FunctionDecl *function) {
    if (result_.launch)
      return fail("there is a second '#pragma forerun launch' in this program: keep one of them");
    result_.launch = next;
    result_.launchIn = function;
    return true;
  }

  bool forward(const clang::Stmt *next, const clang::FunctionDecl *function) {
    const std::string &name = pragma_->variable;
    const clang::VarDecl *variable = find(next, function);
    if (!variable)
      return fail("'" + name + "' is not a variable that is visible after the next statement");
    const clang::QualType type = variable->getType();
    if (isJump(next))
      return fail("nothing follows a jump: put it before the statement that sets '" + name + "'");
    if (hasPointers(type))
      return fail("'" + name + "' holds a pointer, and what it points to is not shared: " +
                  "forward the values that are needed");
    if (type.isConstQualified())
      return fail("'" + name + "' is const: forward the variable that it is computed from");
    if (variable->getStorageClass() == clang::SC_Register)
      return fail("'" + name + "' has no address: declare it without 'register'");
    if (!isDefined(variable))
      return fail("'" + name +
                  "' is defined in none of the sources: copy it to a variable, and "
                  "forward that");
    auto &known = result_.forwarded[next];
    if (std::find(known.begin(), known.end(), variable) == known.end())
      known.push_back(variable);
    return true;
  }

  /// The innermost variable of that name whose scope reaches the end of `next`.
  const clang::VarDecl *find(const clang::Stmt *next, const clang::FunctionDecl *function) const {
    for (std::size_t i = around_.size(); i-- > 0;) {
      const auto *block = dyn_cast<clang::CompoundStmt>(around_[i]);
      const auto *loop = dyn_cast<clang::ForStmt>(around_[i]);
      const clang::Stmt *last = i + 1 < around_.size() ? around_[i + 1] : next;
      const clang::VarDecl *found = loop ? declaredBy(loop->getInit()) : nullptr;
      if (block)
        for (const clang::Stmt *each : block->body()) {
          if (const auto *variable = declaredBy(each))
            found = variable;
          if (each == last)
            break;
        }
      if (found)
        return found;
    }
    for (const clang::ParmVarDecl *each : function->parameters())
      if (each->getName() == pragma_->variable)
        return each;
    const auto &identifier = ast_.Idents.get(pragma_->variable);
    for (const clang::NamedDecl *each : ast_.getTranslationUnitDecl()->lookup(&identifier))
      if (const auto *variable = dyn_cast<clang::VarDecl>(each))
        return variable->getCanonicalDecl();
    return nullptr;
  }

  const clang::VarDecl *declaredBy(const clang::Stmt *stmt) const {
    const auto *declaration = dyn_cast_or_null<clang::DeclStmt>(stmt);
    if (declaration)
      for (const clang::Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<clang::VarDecl>(each);
            variable && variable->getName() == pragma_->variable)
          return variable->getCanonicalDecl();
    return nullptr;
  }

  bool isDefined(const clang::VarDecl *variable) const {
    if (!variable->hasExternalFormalLinkage())
      return true;
    return std::any_of(units_.begin(), units_.end(), [&](const Unit &unit) {
      auto &ast = unit.ast->getASTContext();
      const auto &identifier = ast.Idents.get(variable->getName());
      const auto all = ast.getTranslationUnitDecl()->lookup(&identifier);
      return std::any_of(all.begin(), all.end(), [](clang::NamedDecl *each) {
        auto *other = dyn_cast<clang::VarDecl>(each);
        return other && other->hasDefinition() != clang::VarDecl::DeclarationOnly;
      });
    });
  }

  bool fail(const std::string &message) {
    const auto place = sources_.getPresumedLoc(sources_.getExpansionLoc(pragma_->where));
    llvm::errs() << place.getFilename() << ':' << place.getLine() << ':' << place.getColumn()
                 << ": error: " << message << '\n';
    return false;
  }

  const Units &units_;
  clang::ASTContext &ast_;
  const clang::SourceManager &sources_;
  Overrides &result_;
  const Pragma *pragma_ = nullptr;
  Place at_;
  std::vector<const clang::Stmt *> around_; ///< statements around the pragma, outermost first
};

} // namespace

std::optional<Overrides> findOverrides(const Units &units) {
  Overrides result;
  for (const Unit &unit : units) {
    Resolver resolver(units, unit, result);
    for (const Pragma &each : unit.pragmas)
      if (!resolver.resolve(each))
        return std::nullopt;
  }
  return result;
}

} // namespace forerun::slicer
