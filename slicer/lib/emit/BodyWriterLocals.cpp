// SPDX-License-Identifier: Apache-2.0
// Declarations in the body of a clone.
#include "emit/BodyWriter.h"
#include <clang/AST/Attr.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::isa;

/// Declares main's third parameter, which its clone does not have.
std::string BodyWriter::environment(const clang::FunctionDecl *function) {
  const auto *parameter =
      function->isMain() && function->getNumParams() > 2 ? function->getParamDecl(2) : nullptr;
  if (!parameter || !parameter->getIdentifier())
    return "";
  return "  extern char **__environ;\n  " +
         expr_.declare(parameter->getType(), parameter->getName()) + " = __environ;\n";
}

/// A private global that an `extern` in a block names is declared before all clones.
bool BodyWriter::isKeptLocal(const clang::VarDecl *variable) const {
  if (variable->hasExternalStorage())
    return !scope_.names.isPrivate(variable);
  return scope_.slice.locals.count(variable) > 0;
}

/// The fence must know statics: pointers may lead to them.
std::string BodyWriter::declaration(const clang::DeclStmt *statement, const Indent &indent) {
  indent_ = indent;
  std::string lines;
  if (scope_.slice.unwritten.count(statement) > 0)
    return lines;
  for (const auto &one : declarations(statement))
    lines += indent + one + "\n";
  for (const auto *declared : statement->decls())
    if (const auto *variable = dyn_cast<clang::VarDecl>(declared);
        variable && variable->isStaticLocal() && isKeptLocal(variable) &&
        !variable->getType().isConstQualified())
      lines += indent + "forerun_pre_lend(&" + variable->getNameAsString() + ", sizeof " +
               variable->getNameAsString() + ");\n";
  return lines;
}

/// Only the main thread cleans up: the clone's variable does not have the attribute.
static bool isCleanedUp(const clang::VarDecl *variable) {
  return variable->hasAttr<clang::CleanupAttr>();
}

/// What is asserted of the program's text when it is compiled holds for the clone as well.
static bool isStaticAssertion(const clang::DeclStmt *statement) {
  return llvm::all_of(statement->decls(), [](const clang::Decl *declared) {
    return isa<clang::StaticAssertDecl>(declared);
  });
}

/// One declaration for each local that is kept; types always stay, as kept text may name them.
std::vector<std::string> BodyWriter::declarations(const clang::DeclStmt *statement) {
  if (isStaticAssertion(statement))
    return {};
  std::vector<const clang::VarDecl *> variables;
  std::vector<const clang::TagDecl *> types;
  for (const auto *declared : statement->decls()) {
    if (const auto *variable = dyn_cast<clang::VarDecl>(declared))
      variables.push_back(variable);
    if (const auto *type = dyn_cast<clang::TagDecl>(declared))
      types.push_back(type);
  }
  if (variables.empty() || isWhole(statement))
    if (auto text = expr_.copy(statement->getSourceRange(), statement))
      return {*text};
  auto copied =
      variables.size() == 1 && isKeptLocal(variables.front()) && !isCleanedUp(variables.front())
          ? copiedVariable(variables.front())
          : std::nullopt;
  std::vector<std::string> result;
  if (!copied) // else the copy contains them
    for (const auto *type : types)
      if (auto text = typeDefinition(type); !text.empty())
        result.push_back(std::move(text));
  for (const auto *variable : variables) {
    if (isKeptLocal(variable))
      result.push_back((copied ? *copied : variableFromTypes(variable)) + ";");
    if (const auto calls = scope_.slice.extractedInits.find(variable);
        calls != scope_.slice.extractedInits.end())
      for (const std::string &each : expr_.extracted(calls->second))
        result.push_back(each + ";");
  }
  return result;
}

bool BodyWriter::isWhole(const clang::DeclStmt *statement) const {
  for (const auto *declared : statement->decls())
    if (const auto *variable = dyn_cast<clang::VarDecl>(declared))
      if (!isKeptLocal(variable) || isCleanedUp(variable) ||
          (variable->hasInit() && scope_.slice.initialisers.count(variable) == 0))
        return false;
  return true;
}

bool BodyWriter::hasExtracts(const clang::DeclStmt *statement) const {
  for (const auto *declared : statement->decls())
    if (const auto *variable = dyn_cast<clang::VarDecl>(declared))
      if (scope_.slice.extractedInits.count(variable) > 0)
        return true;
  return false;
}

bool BodyWriter::isInitialised(const clang::VarDecl *variable) const {
  return variable->hasInit() && scope_.slice.initialisers.count(variable) > 0;
}

/// The text of a declaration of only this variable.
std::optional<std::string> BodyWriter::copiedVariable(const clang::VarDecl *variable) {
  if (isInitialised(variable) || !variable->hasInit())
    return expr_.copy(variable->getSourceRange(), variable);
  // `T a[] = {...}` gets its size from the initialiser.
  if (variable->getTypeSourceInfo()->getType()->isIncompleteArrayType())
    return std::nullopt;
  return expr_.copyWithoutInitialiser(variable);
}

/// A type without a name gets one, so that several declarations can share it.
std::string BodyWriter::typeDefinition(const clang::TagDecl *type) {
  if (!type->isThisDeclarationADefinition())
    return type->getNameAsString().empty()
               ? ""
               : type->getKindName().str() + " " + type->getNameAsString() + ";";
  auto text = expr_.copy(type->getSourceRange(), type);
  if (!text) {
    text.emplace();
    llvm::raw_string_ostream out(*text);
    type->print(out, scope_.policy);
  }
  if (type->getIdentifier())
    return *text + ";";
  std::string name = "__forerun_type" + std::to_string(namedTypes_++);
  expr_.nameType(type, name);
  return "typedef " + *text + " " + name + ";";
}

std::string BodyWriter::variableFromTypes(const clang::VarDecl *variable) {
  if (expr_.hasReplacementsInType(variable->getTypeSourceInfo()) &&
      variable->getType()->isVariablyModifiedType())
    scope_.fail(variable->getLocation(),
                "an array whose size is computed cannot be declared apart from its neighbours");
  std::string text;
  if (variable->getStorageClass() == clang::SC_Static)
    text = "static ";
  else if (variable->hasExternalStorage())
    text = "extern ";
  text += expr_.declare(variable->getType(), variable->getName(), variable->getLocation());
  if (variable->hasAttr<clang::AlignedAttr>())
    text += " __attribute__((aligned(" +
            std::to_string(scope_.ast.getDeclAlign(variable).getQuantity()) + ")))";
  return isInitialised(variable) ? text + " = " + expr_.text(variable->getInit()) : text;
}

} // namespace forerun::slicer
