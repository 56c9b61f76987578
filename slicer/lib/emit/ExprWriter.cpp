// SPDX-License-Identifier: Apache-2.0
#include "emit/ExprWriter.h"
#include "emit/CallWriter.h"
#include "emit/Edits.h"
#include "input/Traversal.h"
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringExtras.h>

namespace forerun::slicer {

/// Finds the outermost syntax that is replaced.
class ExprWriter::Collector : public Traversal {
public:
  explicit Collector(ExprWriter &writer) : writer_(writer) {}

  std::vector<Replaced> found;

private:
  bool enterStmt(clang::Stmt &node) override {
    auto text = writer_.replacement(&node);
    if (text)
      found.push_back({node.getSourceRange(), std::move(*text)});
    return !text;
  }

  ExprWriter &writer_;
};

/// Clang prints the contents of declarations and types without calling back: such text would be the
/// main thread's, with its variables and functions.
class ExprWriter::Printer : public clang::PrinterHelper {
public:
  explicit Printer(ExprWriter &writer) : writer_(writer) {}

  bool handledStmt(clang::Stmt *node, llvm::raw_ostream &out) override {
    auto text = writer_.replacement(node);
    if (const auto *block = llvm::dyn_cast<clang::StmtExpr>(node); block && !text)
      text = writer_.block_(block, true);
    if (text)
      out << *text;
    else if (const auto *type = typeIn(node))
      writer_.checkPrinted(type);
    return text.has_value();
  }

private:
  static const clang::TypeSourceInfo *typeIn(const clang::Stmt *node) {
    if (const auto *cast = llvm::dyn_cast<clang::CStyleCastExpr>(node))
      return cast->getTypeInfoAsWritten();
    if (const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(node))
      return literal->getTypeSourceInfo();
    if (const auto *argument = llvm::dyn_cast<clang::VAArgExpr>(node))
      return argument->getWrittenTypeInfo();
    if (const auto *trait = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(node))
      return trait->isArgumentType() ? trait->getArgumentTypeInfo() : nullptr;
    return nullptr;
  }

  ExprWriter &writer_;
};

std::optional<std::string> ExprWriter::splice(const Stretch &whole,
                                              const std::vector<Replaced> &replaced) {
  if (!meansTheSameAtTheEnd(whole))
    return std::nullopt;
  Edits edits;
  for (const auto &one : replaced) {
    auto stretch = stretchOf(one.range, scope_.ast);
    if (!stretch || !whole.contains(*stretch))
      return std::nullopt;
    edits.replace(stretch->begin - whole.begin, stretch->end - whole.begin, one.text);
  }
  return edits.apply(textOf(whole, scope_.ast));
}

/// Clones are at the end of the unit: a macro that had another definition at `stretch`, one like
/// __LINE__, or a directive inside it, means something else there.
bool ExprWriter::meansTheSameAtTheEnd(const Stretch &stretch) {
  auto &preprocessor = scope_.unit.ast->getPreprocessor();
  auto buffer = scope_.sources.getBufferData(stretch.file);
  auto start = scope_.sources.getLocForStartOfFile(stretch.file);
  clang::Lexer lexer(start, scope_.ast.getLangOpts(), buffer.begin(),
                     buffer.begin() + stretch.begin, buffer.end());
  clang::Token token;
  for (;;) {
    lexer.LexFromRawLexer(token);
    auto offset = scope_.sources.getFileOffset(token.getLocation());
    if (token.is(clang::tok::eof) || offset >= stretch.end)
      return true;
    if (token.is(clang::tok::hash) && token.isAtStartOfLine())
      return false;
    if (!token.is(clang::tok::raw_identifier))
      continue;
    const auto *identifier = preprocessor.getIdentifierInfo(token.getRawIdentifier());
    if (!identifier->hadMacroDefinition())
      continue;
    if (scope_.meansAnotherAtTheEnd(identifier))
      return false;
    const auto *now = preprocessor.getMacroInfo(identifier);
    auto then = preprocessor.getMacroDefinitionAtLoc(identifier, token.getLocation());
    if (then.getMacroInfo() != now || (now && now->isBuiltinMacro()))
      return false;
  }
}

std::optional<std::string> ExprWriter::copy(clang::SourceRange range, const clang::Stmt *part) {
  Collector collector(*this);
  collector.traverse(part);
  return copied(range, collector.found);
}

std::optional<std::string> ExprWriter::copy(clang::SourceRange range, const clang::Decl *part) {
  Collector collector(*this);
  collector.traverse(part);
  return copied(range, collector.found);
}

std::optional<std::string> ExprWriter::copied(clang::SourceRange range,
                                              const std::vector<Replaced> &replaced) {
  if (const auto whole = stretchOf(range, scope_.ast))
    if (auto text = splice(*whole, replaced))
      return text;
  return expanded(range, replaced);
}

std::optional<std::string> ExprWriter::copyWritten(clang::SourceRange range,
                                                   const clang::Stmt *part) {
  Collector collector(*this);
  collector.traverse(part);
  auto whole = stretchOf(range, scope_.ast);
  return whole ? splice(*whole, collector.found) : std::nullopt;
}

std::optional<std::string> ExprWriter::copyWithoutInitialiser(const clang::VarDecl *variable) {
  auto whole = stretchOf(variable->getSourceRange(), scope_.ast);
  if (!whole)
    return std::nullopt;
  if (variable->hasInit()) {
    auto value = stretchOf(variable->getInit()->getSourceRange(), scope_.ast);
    if (!value || !whole->contains(*value))
      return std::nullopt;
    whole->end = value->begin;
    auto before = llvm::StringRef(textOf(*whole, scope_.ast)).rtrim().size();
    if (before == 0 || textOf(*whole, scope_.ast)[before - 1] != '=')
      return std::nullopt;
    whole->end = whole->begin + unsigned(before) - 1;
  }
  Collector collector(*this);
  collector.traverse(variable->getTypeSourceInfo()->getTypeLoc());
  auto text = splice(*whole, collector.found);
  return text ? std::optional(llvm::StringRef(*text).rtrim().str()) : std::nullopt;
}

std::optional<std::string> ExprWriter::copyHead(const clang::FunctionDecl *function) {
  auto brace = function->getBody()->getBeginLoc();
  auto whole = stretchOf({function->getBeginLoc(), brace}, scope_.ast);
  if (!whole || textOf(*whole, scope_.ast).back() != '{')
    return std::nullopt;
  whole->end--;
  Collector collector(*this);
  collector.traverse(function->getTypeSourceInfo()->getTypeLoc());
  collector.found.push_back({function->getLocation(), scope_.names.twin(function)});
  return splice(*whole, collector.found);
}

bool ExprWriter::hasReplacementsInType(const clang::TypeSourceInfo *type) {
  Collector collector(*this);
  collector.traverse(type->getTypeLoc());
  return !collector.found.empty();
}

void ExprWriter::checkPrinted(const clang::TypeSourceInfo *type) {
  if (type->getType()->isVariablyModifiedType() && hasReplacementsInType(type))
    scope_.fail(type->getTypeLoc().getBeginLoc(),
                "a type whose size is computed cannot be written here");
}

std::string ExprWriter::text(const clang::Expr *expr) {
  if (auto copied = copy(expr->getSourceRange(), expr))
    return *copied;
  return print(expr);
}

std::string ExprWriter::print(const clang::Stmt *node) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Printer printer(*this);
  node->printPretty(out, &printer, scope_.policy);
  for (const auto &[printed, written] : typeNames_)
    for (size_t at = 0; (at = text.find(printed, at)) != std::string::npos; at += written.size())
      text.replace(at, printed.size(), written);
  if (text.find("(unnamed ") != std::string::npos)
    scope_.fail(node->getBeginLoc(), "a type without a name cannot be written here");
  return text;
}

std::string ExprWriter::declare(clang::QualType type, llvm::StringRef name,
                                clang::SourceLocation where) {
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out, scope_.policy, name);
  for (const auto &[printed, written] : typeNames_)
    if (auto at = text.find(printed); at != std::string::npos)
      text.replace(at, printed.size(), written);
  if (text.find("(unnamed ") != std::string::npos)
    scope_.fail(where, "a type without a name cannot be written here");
  return text;
}

void ExprWriter::nameType(const clang::TagDecl *type, std::string name) {
  auto bare = scope_.ast.getTagDeclType(type);
  auto keyword = clang::TypeWithKeyword::getKeywordForTagTypeKind(type->getTagKind());
  auto elaborated = scope_.ast.getElaboratedType(keyword, nullptr, bare);
  typeNames_[elaborated.getAsString(scope_.policy)] = name;
  typeNames_[bare.getAsString(scope_.policy)] = std::move(name);
}

std::string received(const HandedCondition &condition) {
  const std::string site = std::to_string(condition.site);
  return condition.stays ? "forerun_pre_goes_on(" + site + ", " + (*condition.stays ? "1)" : "0)")
                         : "forerun_pre_condition(" + site + ")";
}

std::optional<std::string> ExprWriter::replacement(const clang::Stmt *node) {
  if (const auto handed = scope_.slice.conditions.find(node);
      handed != scope_.slice.conditions.end())
    return received(handed->second);
  if (const auto left = scope_.slice.operands.find(node); left != scope_.slice.operands.end())
    if (open_.insert(node).second) { // else the operand is the call that runs
      std::string text = leftOut(left->second);
      open_.erase(node);
      return text;
    }
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(node)) {
    auto text = replaceName(name);
    return text ? text : fencedStore(name);
  }
  // __func__: the clone has another name. (Clang's __PRETTY_FUNCTION__ differs from GCC's.)
  if (const auto *called = llvm::dyn_cast<clang::PredefinedExpr>(node);
      called && called->getIdentKind() != clang::PredefinedIdentKind::PrettyFunction)
    return '"' + called->getFunctionName()->getString().str() + '"';
  fences_.see(node);
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(node))
    if (auto text = fencedStore(expr))
      return text;
  const auto *call = llvm::dyn_cast<clang::CallExpr>(node);
  const auto *block = llvm::dyn_cast<clang::StmtExpr>(node);
  if (!call && !block)
    return std::nullopt;
  if (auto known = replacements_.find(node); known != replacements_.end())
    return known->second;
  std::optional<std::string> text;
  if (block)
    text = block_(block, false);
  else if (const CallPlan *plan = scope_.slice.planOf(call))
    text = CallWriter(*this, scope_, fences_, *call, *plan).text();
  replacements_[node] = text;
  return text;
}

/// Empty if the expression is neither the place nor the address of a store, or needs no fence.
std::optional<std::string> ExprWriter::fencedStore(const clang::Expr *place) {
  const auto fence = fences_.find(place);
  const bool isAddress = fences_.isWrittenThrough(place);
  if (!fence && !isAddress)
    return std::nullopt;
  if (!open_.insert(place).second) // the text of the place itself is being written
    return std::nullopt;
  std::string text;
  if (isAddress)
    text = "(&FORERUN_PRE_OWN(*(" + this->text(place) + ")))";
  else if (fence->pointer)
    text = "FORERUN_PRE_OWN(*(" + this->text(fence->pointer) + "))." +
           fence->member->getMemberDecl()->getNameAsString();
  else if (fence->inside)
    text = "FORERUN_PRE_INSIDE(" + name(fence->inside) + ", " + this->text(place) + ")";
  else
    text = "FORERUN_PRE_OWN(" + this->text(place) + ")";
  open_.erase(place);
  return text;
}

/// (read(), 1): the calls of the operand that run, and the value that stands in its place.
std::string ExprWriter::leftOut(const LeftOutOperand &operand) {
  const std::string value = operand.value ? "1" : "0";
  std::string calls;
  for (const std::string &each : extracted(operand.calls))
    calls += "(void)" + each + ", ";
  return calls.empty() ? value : "(" + calls + value + ")";
}

std::vector<std::string> ExprWriter::extracted(const ExtractedCalls &calls, std::size_t guards) {
  std::vector<std::string> result;
  for (auto at = calls.begin(); at != calls.end();) {
    if (at->guards.size() == guards) {
      result.push_back(text(at++->call));
      continue;
    }
    const clang::Expr *condition = at->guards[guards].first;
    ExtractedCalls ifHolds, ifNot;
    for (; at != calls.end() && at->guards.size() > guards && at->guards[guards].first == condition;
         ++at)
      (at->guards[guards].second ? ifHolds : ifNot).push_back(*at);
    const auto written = [&](const ExtractedCalls &each) {
      return each.empty() ? "(void)0"
                          : "(void)(" + llvm::join(extracted(each, guards + 1), ", ") + ")";
    };
    result.push_back("(" + text(condition) + " ? " + written(ifHolds) + " : " + written(ifNot) +
                     ")");
  }
  return result;
}

std::optional<std::string> ExprWriter::replaceName(const clang::DeclRefExpr *name) {
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
      function && scope_.names.hasClone(function)) {
    scope_.usedClones.insert(function->getCanonicalDecl());
    return scope_.names.twin(function);
  }
  // A pointer to a library function is one to the program's own copy, which tells what is called
  // through it; but a twin calls only twins.
  const bool isFunction = llvm::isa<clang::FunctionDecl>(name->getDecl());
  if (auto twin = isFunction && !isGivenToTwin_ ? std::nullopt : scope_.twinOf(name->getDecl()))
    return twin;
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
      function && !function->hasBody())
    if (const auto known = scope_.slice.standIns.find(function->getNameAsString());
        known != scope_.slice.standIns.end())
      return scope_.standIn(known->second, function);
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      variable && variable->hasExternalFormalLinkage() && !variable->hasDefinition() &&
      scope_.slice.libraryVariables.count(variable->getNameAsString()) > 0)
    return scope_.standIn("forerun_pre_" + variable->getNameAsString(), variable);
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      variable && scope_.names.isPrivate(variable))
    return this->name(variable);
  return std::nullopt;
}

std::string ExprWriter::name(const clang::VarDecl *variable) {
  if (!scope_.names.isPrivate(variable))
    return variable->getNameAsString();
  scope_.usedPrivates.insert(variable->getCanonicalDecl());
  return scope_.names.twin(variable);
}

} // namespace forerun::slicer
