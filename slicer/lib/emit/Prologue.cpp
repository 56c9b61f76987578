// SPDX-License-Identifier: Apache-2.0
#include "emit/Prologue.h"

#include "emit/Headers.h"
#include "models/Worklist.h"
#include <algorithm>
#include <clang/Lex/Preprocessor.h>

namespace forerun::slicer {

namespace {

/// MPI's types that runtime.h names.
constexpr const char *kMpiTypes[] = {"MPI_Comm", "MPI_Datatype", "MPI_File",   "MPI_Offset",
                                     "MPI_Op",   "MPI_Request",  "MPI_Status", "MPI_Aint",
                                     "MPI_Info", "MPI_Count"};

constexpr llvm::StringLiteral kPrefix = "forerun_pre_";

/// Macros that are known before the first line, except for the compiler's own.
std::vector<std::string> macrosBefore(const EmitScope &scope) {
  auto &preprocessor = scope.unit.ast->getPreprocessor();
  const auto start = scope.sources.getLocForStartOfFile(scope.sources.getMainFileID());
  std::vector<std::string> names;
  for (const auto &entry : preprocessor.getIdentifierTable()) {
    const auto *identifier = entry.getValue();
    if (!identifier->hadMacroDefinition() || identifier->getName().starts_with("_"))
      continue;
    const auto *macro = preprocessor.getMacroDefinitionAtLoc(identifier, start).getMacroInfo();
    if (macro && !scope.sources.isWrittenInBuiltinFile(macro->getDefinitionLoc()))
      names.push_back(identifier->getName().str());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A type of MPI, spelled without its name: `void *` if the unit does not know the type, and so
/// cannot use what needs it.
std::string plainType(const EmitScope &scope, const char *name, std::set<std::string> &tags) {
  const auto &identifier = scope.ast.Idents.get(name);
  for (const auto *each : scope.ast.getTranslationUnitDecl()->lookup(&identifier))
    if (const auto *known = llvm::dyn_cast<clang::TypedefNameDecl>(each)) {
      const auto type = known->getUnderlyingType().getCanonicalType();
      auto inner = type;
      while (inner->isPointerType())
        inner = inner->getPointeeType();
      std::string text = type.getAsString(scope.policy);
      if (const auto *tag = inner->getAsTagDecl()) {
        if (!tag->getIdentifier())
          return "void";
        tags.insert(inner.getUnqualifiedType().getAsString(scope.policy));
      }
      return text;
    }
  return "void *";
}

std::string canonical(const EmitScope &scope, clang::QualType type, const std::string &name) {
  std::string text;
  llvm::raw_string_ostream out(text);
  type.getCanonicalType().print(out, scope.policy, name);
  constexpr llvm::StringLiteral kVaList = "struct __va_list_tag *";
  for (std::size_t at = 0; (at = text.find(kVaList, at)) != std::string::npos;)
    text.replace(at, kVaList.size(), "__builtin_va_list ");
  if (text.find("(unnamed ") == std::string::npos)
    return text;
  text.clear();
  type.print(out, scope.policy, name);
  return text;
}

/// The type of the compiler's built-in function of that name; null if there is none.
clang::QualType builtInType(const EmitScope &scope, llvm::StringRef name) {
  clang::ASTContext::GetBuiltinTypeError error = clang::ASTContext::GE_None;
  const unsigned id = scope.ast.Idents.get(name).getBuiltinID();
  const auto type = id == 0 ? clang::QualType() : scope.ast.GetBuiltinType(id, error);
  return error == clang::ASTContext::GE_None ? type : clang::QualType();
}

/// A declaration may say less about a function than the compiler knows.
clang::QualType typeOf(const EmitScope &scope, llvm::StringRef standIn,
                       const clang::ValueDecl *original) {
  const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(original);
  const bool isKnown = original && !(function && !function->hasPrototype());
  const auto type =
      isKnown ? clang::QualType() : builtInType(scope, standIn.substr(kPrefix.size()));
  return type.isNull() && original ? original->getType() : type;
}

bool isRedefined(const clang::IdentifierInfo *identifier, const EmitScope &scope) {
  return identifier->hasMacroDefinition() && identifier->isKeyword(scope.ast.getLangOpts());
}

} // namespace

std::string prologue(const EmitScope &scope, bool startsHere) {
  std::string suspend, resume, types, names, ends;
  for (const std::string &each : macrosBefore(scope)) {
    suspend.append("#pragma push_macro(\"").append(each).append("\")\n#undef ");
    suspend.append(each).append("\n");
    resume.append("#pragma pop_macro(\"").append(each).append("\")\n");
  }
  std::set<std::string> tags;
  const auto define = [&](const std::string &name, const std::string &type) {
    const std::string own = name == "size_t" ? "__forerun_size" : "__forerun_" + name;
    types += "typedef " + type + " " + own + ";\n";
    names += "#define " + name + " " + own + "\n";
    ends += "#undef " + name + "\n";
  };
  define("size_t", "__SIZE_TYPE__");
  for (const char *each : kMpiTypes)
    define(each, plainType(scope, each, tags));
  std::string text = suspend;
  for (const std::string &each : tags)
    text += each + ";\n";
  text += types + names + "#define FORERUN_SLICED\n#include \"forerun/runtime.h\"\n" +
          "#undef FORERUN_SLICED\n" + ends;
  if (startsHere)
    text += "int " + scope.names.mainTwin() + "(int, char **);\n";
  return text + resume + lineDirective(scope.sources.getMainFileID(), 0, scope.sources);
}

std::string plainKeywords(const EmitScope &scope) {
  std::set<std::string> names;
  for (const auto &entry : scope.unit.ast->getPreprocessor().getIdentifierTable())
    if (isRedefined(entry.getValue(), scope))
      names.insert(entry.getKey().str());
  std::string text;
  for (const std::string &each : names)
    text += "#undef " + each + "\n";
  return text;
}

std::string standInDeclarations(const EmitScope &scope) {
  std::string text;
  for (const auto &[name, original] : scope.usedStandIns)
    if (const auto type = typeOf(scope, name, original); !type.isNull())
      text += "extern " + canonical(scope, type, name) + ";\n";
  return text.empty()
             ? ""
             : "#pragma GCC visibility push(default)\n" + text + "#pragma GCC visibility pop\n";
}

std::string twinFunctions(const EmitScope &scope) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const std::string &name : scope.usedTwins)
    out << "static __typeof__(" << name << ") *" << kTwin << name
        << "(void) {\n  static void *at;\n  return (__typeof__(" << name
        << ") *)(at ? at : (at = forerun_pre_twin(\"" << scope.slice.twins.at(name) << "\", \""
        << name << "\")));\n}\n";
  return text;
}

bool EmitScope::meansAnotherAtTheEnd(const clang::IdentifierInfo *identifier) const {
  auto &preprocessor = unit.ast->getPreprocessor();
  Worklist<const clang::IdentifierInfo *> open{identifier};
  while (const auto each = open.next()) {
    if (isRedefined(*each, *this))
      return true;
    if (const auto *macro = preprocessor.getMacroInfo(*each))
      for (const clang::Token &token : macro->tokens())
        if (token.getIdentifierInfo())
          open.add(token.getIdentifierInfo());
  }
  return false;
}

} // namespace forerun::slicer
