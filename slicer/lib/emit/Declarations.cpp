// SPDX-License-Identifier: Apache-2.0
#include "emit/Declarations.h"
#include <clang/AST/Attr.h>

namespace forerun::slicer {

namespace {

/// Whether the head can be copied: it has no attributes, which may say what must not be said twice
/// (constructor, section).
bool hasPlainHead(const clang::FunctionDecl *function) {
  for (const auto *attribute : function->attrs())
    if (!attribute->isImplicit() && !attribute->isInherited())
      return false;
  bool isStatic = function->getStorageClass() == clang::SC_Static;
  return !function->isMain() && (!function->isInlineSpecified() || isStatic);
}

std::string parameters(ExprWriter &expr, const clang::FunctionDecl *function) {
  std::string list;
  for (const auto *parameter : function->parameters())
    list += (list.empty() ? "" : ", ") +
            expr.declare(parameter->getOriginalType(), parameter->getName());
  if (function->isVariadic())
    return list + ", ...";
  return list.empty() && function->hasPrototype() ? "void" : list;
}

/// Main's clone is called with argc and argv, whatever the parameters of main are.
std::string mainParameters(ExprWriter &expr, const clang::FunctionDecl *main) {
  std::string list;
  const char *const types[] = {"int ", "char **"}, *const names[] = {"argc", "argv"};
  for (unsigned i = 0; i < 2; i++) {
    const auto *own = i < main->getNumParams() ? main->getParamDecl(i) : nullptr;
    list += i == 0 ? "" : ", ";
    list += own && own->getIdentifier() ? expr.declare(own->getOriginalType(), own->getName())
                                        : types[i] + std::string("__forerun_") + names[i];
  }
  return list;
}

std::string headFromTypes(const EmitScope &scope, ExprWriter &expr,
                          const clang::FunctionDecl *function, bool isPrototype) {
  if (function->isMain())
    return "int " + scope.names.mainTwin() + "(" + mainParameters(expr, function) + ")";
  bool isOld = isPrototype && !function->hasPrototype(); // its arguments are not converted
  std::string list = isOld ? "" : parameters(expr, function);
  const std::string name = scope.isLean ? scope.names.lean(function) : scope.names.twin(function);
  return (hasLocalClone(function) ? "static " : "") +
         expr.declare(function->getReturnType(), name + "(" + list + ")");
}

/// The declarator of a private copy. An unnamed type is taken from the original.
std::string declarator(const EmitScope &scope, ExprWriter &expr, const clang::VarDecl *variable) {
  std::string text;
  auto printed = variable->getType().getAsString();
  if (printed.find("(unnamed ") != std::string::npos)
    text = "__typeof__(" + variable->getNameAsString() + ") " + scope.names.twin(variable);
  else
    text = expr.declare(variable->getType(), scope.names.twin(variable));
  if (variable->hasAttr<clang::AlignedAttr>())
    text += " __attribute__((aligned(" +
            std::to_string(variable->getASTContext().getDeclAlign(variable).getQuantity()) + ")))";
  return text;
}

/// Null if another unit defines it.
const clang::VarDecl *definitionOf(const clang::VarDecl *variable) {
  if (const auto *definition = variable->getDefinition())
    return definition;
  for (const auto *declaration : variable->redecls())
    if (declaration->isThisDeclarationADefinition() == clang::VarDecl::TentativeDefinition)
      return declaration;
  return nullptr;
}

struct Global {
  const clang::VarDecl *declaration; ///< the definition, or any declaration if another unit has it
  bool defined;
  std::string value;
  llvm::SetVector<const clang::VarDecl *> uses; ///< in its value

  std::string storage() const {
    return !declaration->isExternallyVisible() ? "static " : defined ? "" : "extern ";
  }
};

Global describe(EmitScope &scope, ExprWriter &expr, const clang::VarDecl *variable) {
  const auto *definition = definitionOf(variable);
  Global global{definition ? definition : variable, definition != nullptr, "", {}};
  if (!definition || !definition->hasInit())
    return global;
  llvm::SetVector<const clang::VarDecl *> before;
  std::swap(before, scope.usedPrivates);
  global.value = expr.text(definition->getInit());
  std::swap(before, scope.usedPrivates);
  global.uses = std::move(before);
  scope.usedPrivates.insert(global.uses.begin(), global.uses.end());
  return global;
}

/// Code that tells the runtime where these globals are, before main begins.
std::string fencedGlobals(const EmitScope &scope, const std::vector<Global> &globals) {
  std::string ranges;
  for (const auto &global : globals)
    if (const std::string name = scope.names.twin(global.declaration); global.defined)
      ranges.append("    {(void *)&").append(name).append(", sizeof ").append(name).append("},\n");
  return ranges.empty()
             ? ""
             : "static const struct forerun_pre_range __forerun_ranges[] = {\n" + ranges +
                   R"(};
__attribute__((constructor)) static void __forerun_know_globals(void) {
  static struct forerun_pre_globals globals = {
      __forerun_ranges, sizeof __forerun_ranges / sizeof __forerun_ranges[0], 0};
  forerun_pre_know_globals(&globals);
}
)";
}

} // namespace

bool hasLocalClone(const clang::FunctionDecl *function) { return !function->isExternallyVisible(); }

std::string cloneHead(const EmitScope &scope, ExprWriter &expr,
                      const clang::FunctionDecl *function) {
  if (hasPlainHead(function) && !scope.isLean)
    if (auto head = expr.copyHead(function))
      return *head;
  return headFromTypes(scope, expr, function, false) + " ";
}

std::string clonePrototype(const EmitScope &scope, ExprWriter &expr,
                           const clang::FunctionDecl *function) {
  return headFromTypes(scope, expr, function, true) + " FORERUN_PRE_CLONE;";
}

std::string privateGlobals(EmitScope &scope, ExprWriter &expr) {
  for (auto *declared : scope.ast.getTranslationUnitDecl()->decls())
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
        variable && variable->isExternallyVisible() && scope.names.isPrivate(variable) &&
        definitionOf(variable))
      scope.usedPrivates.insert(variable->getCanonicalDecl());
  std::vector<Global> globals;
  globals.reserve(scope.usedPrivates.size());
  for (unsigned i = 0; i < scope.usedPrivates.size(); i++) // grows meanwhile
    globals.push_back(describe(scope, expr, scope.usedPrivates[i]));
  std::sort(globals.begin(), globals.end(), [&](const Global &a, const Global &b) {
    return scope.sources.isBeforeInTranslationUnit(a.declaration->getLocation(),
                                                   b.declaration->getLocation());
  });
  std::string text;
  std::set<const clang::VarDecl *> known;
  for (const auto &global : globals) {
    for (const auto &later : globals) {
      const auto *canonical = later.declaration->getCanonicalDecl();
      if (&later == &global || !global.uses.count(canonical) || !known.insert(canonical).second)
        continue;
      text += (later.declaration->isExternallyVisible() ? "extern " : "static ") +
              declarator(scope, expr, later.declaration) + ";\n";
    }
    known.insert(global.declaration->getCanonicalDecl());
    text += global.storage() + declarator(scope, expr, global.declaration);
    text += global.value.empty() ? ";\n" : " = " + global.value + ";\n";
  }
  return text + fencedGlobals(scope, globals);
}

} // namespace forerun::slicer
