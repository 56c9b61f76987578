// SPDX-License-Identifier: Apache-2.0
#include "input/CompileErrors.h"

#include "input/Traversal.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/WithColor.h>

namespace forerun::slicer {

using Error = CompileErrors::Error;

CompileErrors::CompileErrors(clang::DiagnosticOptions &options)
    : printer_(std::make_unique<clang::TextDiagnosticPrinter>(llvm::errs(), &options)) {}

CompileErrors::~CompileErrors() = default;

namespace {

/// What GCC accepts, and Clang's AST is complete: jumps past the start of a variable-length array or a
/// cleanup, where no label that is jumped to is affected, and `#pragma STDC` where the standard does
/// not allow it.
bool isAcceptedByGcc(unsigned id) {
  return id == clang::diag::err_pragma_file_or_compound_scope ||
         id == clang::diag::err_goto_into_protected_scope ||
         id == clang::diag::err_switch_into_protected_scope ||
         id == clang::diag::err_indirect_goto_in_protected_scope;
}

} // namespace

void CompileErrors::BeginSourceFile(const clang::LangOptions &language,
                                    const clang::Preprocessor *preprocessor) {
  printer_->BeginSourceFile(language, preprocessor);
}

void CompileErrors::EndSourceFile() { printer_->EndSourceFile(); }

void CompileErrors::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                     const clang::Diagnostic &diagnostic) {
  const unsigned id = diagnostic.getID();
  if (level < clang::DiagnosticsEngine::Error ||
      clang::DiagnosticIDs::isBuiltinWarningOrExtension(id) || isAcceptedByGcc(id))
    return;
  if (id >= clang::diag::DIAG_UPPER_LIMIT) {
    haveOurs_ = true;
    printer_->HandleDiagnostic(level, diagnostic);
    return;
  }
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  const auto where = diagnostic.getLocation();
  all_.push_back({diagnostic.hasSourceManager() && where.isValid()
                      ? diagnostic.getSourceManager().getExpansionLoc(where)
                      : clang::SourceLocation(),
                  message.str().str()});
}

namespace {

bool isIn(const clang::Decl *declaration, const Error &error, const clang::SourceManager &sources) {
  const auto range = sources.getExpansionRange(declaration->getSourceRange());
  return error.where.isValid() &&
         !sources.isBeforeInTranslationUnit(error.where, range.getBegin()) &&
         !sources.isBeforeInTranslationUnit(range.getEnd(), error.where);
}

/// Whether Clang could not make sense of some syntax below: where that names something that has an
/// error of its own, no error is reported.
class Senseless : public Traversal {
public:
  bool isFound() const { return isFound_; }

private:
  bool enterStmt(clang::Stmt &node) override {
    const auto *expr = llvm::dyn_cast<clang::Expr>(&node);
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(&node);
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(&node);
    isFound_ |= (expr && expr->containsErrors()) || (name && name->getDecl()->isInvalidDecl()) ||
                (member && member->getMemberDecl()->isInvalidDecl());
    return !isFound_;
  }
  void enterDecl(clang::Decl &declaration) override { isFound_ |= declaration.isInvalidDecl(); }

  bool isFound_ = false;
};

template <class Root> bool hasSense(const Root *root) {
  Senseless senseless;
  senseless.traverse(root);
  return !senseless.isFound();
}

/// Prints file:line of the error, and what is left out because of it.
void tell(const Error &error, const std::string &what, const clang::SourceManager &sources) {
  const auto place = sources.getPresumedLoc(error.where);
  std::string at;
  if (place.isValid())
    at = std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ": ";
  llvm::WithColor::warning(llvm::errs(), "forerun-slice")
      << at << what << " left out of pre-execution: " << error.message << '\n';
}

} // namespace

void leaveOutFunctionsWith(const std::vector<Error> &errors, clang::ASTUnit &unit) {
  if (errors.empty())
    return;
  const auto &sources = unit.getSourceManager();
  const Error *first = nullptr;
  std::string name;
  unsigned others = 0;
  for (clang::Decl *each : unit.getASTContext().getTranslationUnitDecl()->decls()) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(each);
        variable && variable->getInit() && !hasSense<clang::Stmt>(variable->getInit()))
      variable->setInit(nullptr);
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(each);
    if (!function || !function->doesThisDeclarationHaveABody())
      continue;
    const auto found = std::find_if(errors.begin(), errors.end(), [&](const Error &error) {
      return isIn(function, error, sources);
    });
    if (found == errors.end() && hasSense<clang::Decl>(function))
      continue;
    function->setBody(nullptr);
    if (first) {
      ++others;
      continue;
    }
    first = found == errors.end() ? &errors.front() : &*found;
    name = function->getNameAsString();
  }
  if (first)
    tell(*first,
         "'" + name + "' " + (others == 0 ? "is" : "and " + std::to_string(others) + " more are"),
         sources);
}

bool leaveOutFunction(llvm::StringRef name, clang::ASTUnit &unit) {
  bool isFound = false;
  for (clang::Decl *each : unit.getASTContext().getTranslationUnitDecl()->decls())
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(each);
        function && function->doesThisDeclarationHaveABody() &&
        function->getNameAsString() == name) {
      function->setBody(nullptr);
      isFound = true;
    }
  return isFound;
}

} // namespace forerun::slicer
