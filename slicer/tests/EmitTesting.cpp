// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "facts/IoCalls.h"
#include "input/Places.h"
#include "input/Traversal.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer::testing {

namespace {

using IoForm = CallPlan::Io::Form;

IoForm formByName(const std::string &name) {
  const auto *at = ioArguments(name);
  if (name.find("open") != std::string::npos)
    return IoForm::Open;
  if (at->whence >= 0)
    return IoForm::Seek;
  if (at->etype >= 0)
    return IoForm::View;
  if (at->count < 0)
    return IoForm::Sync;
  bool writes = name.find("write") != std::string::npos;
  if (at->offset >= 0)
    return writes ? IoForm::WriteAt : IoForm::ReadAt;
  return writes ? IoForm::Write : IoForm::Read;
}

class Marker : public Traversal {
public:
  Marker(const Unit &unit, Slice &slice) : ast_(unit.ast->getASTContext()), slice_(slice) {}

private:
  void enterDecl(clang::Decl &declaration) override {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      enterFunction(function);
    else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration))
      enterVariable(variable);
  }

  bool enterStmt(clang::Stmt &statement) override {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement);
    if (inProgram_ && call)
      slice_.plans[call] = planFor(call);
    if (!inProgram_ || isMarked(statement.getBeginLoc(), "out"))
      return true;
    slice_.statements.insert(&statement);
    if (llvm::isa<clang::ReturnStmt>(statement) && isMarked(statement.getBeginLoc(), "bare"))
      slice_.bareReturns.insert(&statement);
    return true;
  }

  void enterFunction(const clang::FunctionDecl *function) {
    inProgram_ = !isInSystemHeader(function->getLocation());
    if (inProgram_ && function->doesThisDeclarationHaveABody()) {
      slice_.clones.insert(function);
      if (function->isMain())
        slice_.main = function;
    }
  }

  void enterVariable(const clang::VarDecl *variable) {
    if (isInSystemHeader(variable->getLocation()))
      return;
    if (!variable->hasLocalStorage() && !variable->isStaticLocal()) {
      if (!variable->hasExternalStorage() && !variable->getType().isConstQualified())
        slice_.privates.insert(variable->getCanonicalDecl());
      return;
    }
    if (isMarked(variable->getLocation(), "out"))
      return;
    slice_.locals.insert(variable);
    if (variable->hasInit() && !isMarked(variable->getLocation(), "no value"))
      slice_.initialisers.insert(variable);
  }

  CallPlan planFor(const clang::CallExpr *call) {
    const auto *function = call->getDirectCallee();
    const std::string name = function ? function->getNameAsString() : "";
    const llvm::StringRef start = name;
    if (ioArguments(name))
      return {CallPlan::Io{name, formByName(name)}, siteFor(call)};
    if (start.starts_with("input"))
      return {call->getType()->isVoidType() ? CallPlan::Receive{}
                                            : CallPlan::Receive{{Forwarded{}}},
              siteFor(call)};
    if (start.starts_with("MPI_Init"))
      slice_.inits.insert(call);
    if (start.starts_with("MPI_Init") || name == "printf")
      return {CallPlan::Gone{}};
    if (name == "exit")
      return {CallPlan::Exit{}};
    if (name == "malloc")
      return {CallPlan::StandIn{"forerun_pre_malloc"}};
    if (!function || function->hasBody() || start.starts_with("other_"))
      return {CallPlan::Clone{}};
    return {CallPlan::Direct{}};
  }

  /// Calls that one insertion surrounds share a site.
  int siteFor(const clang::CallExpr *call) {
    auto place = placeOf(call, ast_);
    if (!place)
      return slice_.sites++;
    auto [known, isNew] = sites_.try_emplace(place->call, slice_.sites);
    slice_.sites += isNew ? 1 : 0;
    return known->second;
  }

  bool isInSystemHeader(clang::SourceLocation location) const {
    return ast_.getSourceManager().isInSystemHeader(location);
  }

  bool isMarked(clang::SourceLocation location, llvm::StringRef mark) {
    const auto &sources = ast_.getSourceManager();
    auto [file, offset] = sources.getDecomposedExpansionLoc(location);
    auto [marks, isNew] = marks_.try_emplace(file);
    if (isNew)
      marks->second = marksIn(sources.getBufferData(file));
    const auto found = marks->second.find(sources.getLineNumber(file, offset));
    return found != marks->second.end() && found->second == mark;
  }

  clang::ASTContext &ast_;
  Slice &slice_;
  std::map<Stretch, int> sites_;
  std::map<clang::FileID, std::map<unsigned, std::string>> marks_;
  bool inProgram_ = false;
};

constexpr const char *kBanner = "\n/* ---- The pre-execution thread";

} // namespace

std::string Emitted::clones(const std::string &unit) const {
  const auto &text = texts.at(unit);
  auto at = text.find(kBanner);
  return at == std::string::npos ? "" : text.substr(at);
}

std::string Emitted::own(const std::string &unit) const {
  const auto &text = texts.at(unit);
  const std::string end = "\n#line 1 \"" + unit + "\"\n";
  const auto header = text.find("#include \"forerun/runtime.h\"");
  const auto begin = header == std::string::npos ? 0 : text.find(end, header) + end.size();
  return text.substr(begin, text.find(kBanner) - begin);
}

bool compiles(const Files &texts) {
  ::testing::internal::CaptureStderr();
  const auto units = parseText(texts);
  const std::string said = ::testing::internal::GetCapturedStderr();
  const bool does = units && llvm::none_of(*units, [](const Unit &unit) {
                      return unit.ast->getDiagnostics().hasUncompilableErrorOccurred();
                    });
  if (!does)
    llvm::errs() << said;
  return does;
}

Emitted emitted(const Files &files, const Amend &amend) {
  Emitted result;
  auto units = parseText(files);
  if (!units) {
    result.problems.push_back({nullptr, {}, "the program itself does not compile", nullptr});
    return result;
  }
  Slice slice;
  for (const auto &unit : *units)
    Marker(unit, slice).traverse(unit.ast->getASTContext().getTranslationUnitDecl());
  if (amend)
    amend(*units, slice);
  auto texts = emitUnits(*units, slice, result.problems);
  result.texts = files;
  for (size_t i = 0; i < texts.size(); i++)
    result.texts[units->at(i).path] = texts[i];
  result.compiles = compiles(result.texts);
  return result;
}

Emitted emitted(const std::string &text, const Amend &amend) {
  return emitted(Files{{"a.c", text}}, amend);
}

std::string bodyOf(const std::string &before, const std::string &body) {
  auto result = emitted(before + "\nvoid f(int n, int *p)\n{\n" + body + "}\n");
  for (const auto &problem : result.problems)
    return "problem: " + problem.message;
  std::string clones = result.clones(), head = "\nvoid f__pre(int n, int *p)\n{\n";
  auto at = clones.find(head);
  if (!result.compiles || at == std::string::npos)
    return "does not compile:\n" + clones;
  const auto end = std::min(clones.find("static const struct forerun_main_place"), clones.size());
  return clones.substr(at + head.size(), end - at - head.size() - 2);
}

const clang::CallExpr *callOf(const Units &units, const std::string &function, int number) {
  struct Finder : Traversal {
    bool enterStmt(clang::Stmt &node) override {
      const auto *call = llvm::dyn_cast<clang::CallExpr>(&node);
      const auto *callee = call ? call->getDirectCallee() : nullptr;
      if (callee && callee->getNameAsString() == name && left-- == 0)
        found = call;
      return true;
    }
    std::string name;
    int left = 0;
    const clang::CallExpr *found = nullptr;
  };
  Finder finder;
  finder.name = function;
  finder.left = number;
  for (const auto &unit : units)
    finder.traverse(unit.ast->getASTContext().getTranslationUnitDecl());
  return finder.found;
}

std::optional<CallPlan::Io::Form> formOf(const CallPlan &plan) {
  const auto *io = plan.as<CallPlan::Io>();
  return io ? std::optional(io->form) : std::nullopt;
}

CallPlan &planOf(const Units &units, Slice &slice, const std::string &function, int number) {
  return slice.plans.at(callOf(units, function, number));
}

} // namespace forerun::slicer::testing
