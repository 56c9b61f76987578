// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/ASTUnit.h>
#include <string>
#include <vector>

/// \file
/// What Clang calls an error in a source that the user's compiler has accepted: nested functions,
/// built-in functions and types that Clang lacks. It costs only the functions that have an error.

namespace forerun::slicer {

/// Collects the errors of one unit. Clang's warnings do not count, not even those that it treats as
/// errors: the user's compiler has given its own. Only errors of our own pragmas are shown.
class CompileErrors : public clang::DiagnosticConsumer {
public:
  struct Error {
    clang::SourceLocation where; ///< outside of macros
    std::string message;
  };

  explicit CompileErrors(clang::DiagnosticOptions &options);
  ~CompileErrors() override;

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;
  // NOLINTEND(readability-identifier-naming)

  const std::vector<Error> &all() const { return all_; }
  /// Whether the user has written a malformed pragma of ours.
  bool haveOurs() const { return haveOurs_; }

private:
  std::unique_ptr<clang::DiagnosticConsumer> printer_;
  std::vector<Error> all_;
  bool haveOurs_ = false;
};

/// Removes the bodies of all functions that have errors: to later stages they are functions without
/// source. The first is reported on stderr, with the number of the others.
void leaveOutFunctionsWith(const std::vector<CompileErrors::Error> &errors, clang::ASTUnit &unit);

/// Removes the bodies of the functions of that name.
bool leaveOutFunction(llvm::StringRef name, clang::ASTUnit &unit);

} // namespace forerun::slicer
