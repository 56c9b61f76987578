// SPDX-License-Identifier: Apache-2.0
#include "input/Pragmas.h"

#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

namespace forerun::slicer {

namespace {

class PragmaReader : public clang::PragmaHandler {
public:
  explicit PragmaReader(std::vector<Pragma> &found) : PragmaHandler("forerun"), found_(found) {}

  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer /*introducer*/,
                    clang::Token &token) override {
    preprocessor.LexUnexpandedToken(token);
    const auto *word = token.getIdentifierInfo();
    Pragma pragma;
    pragma.where = token.getLocation();
    if (word && word->isStr("launch")) {
      pragma.kind = Pragma::Kind::Launch;
    } else if (word && word->isStr("forward")) {
      pragma.kind = Pragma::Kind::Forward;
      if (!readVariable(preprocessor, token, pragma.variable))
        return fail(preprocessor, token, "write '#pragma forerun forward(x)', x being a variable");
    } else if (!word || !word->isStr("ignore")) {
      return fail(preprocessor, token,
                  "'#pragma forerun' must be followed by launch, forward(x) or ignore");
    }
    preprocessor.LexUnexpandedToken(token);
    if (token.isNot(clang::tok::eod))
      return fail(preprocessor, token, "nothing may follow here: end the line");
    found_.push_back(std::move(pragma));
  }

private:
  static bool readVariable(clang::Preprocessor &preprocessor, clang::Token &token,
                           std::string &name) {
    preprocessor.LexUnexpandedToken(token);
    if (token.isNot(clang::tok::l_paren))
      return false;
    preprocessor.LexUnexpandedToken(token);
    const auto *variable = token.getIdentifierInfo();
    if (!variable)
      return false;
    name = variable->getName().str();
    preprocessor.LexUnexpandedToken(token);
    return token.is(clang::tok::r_paren);
  }

  static void fail(clang::Preprocessor &preprocessor, const clang::Token &at,
                   llvm::StringRef message) {
    auto &diagnostics = preprocessor.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    preprocessor.Diag(at, id) << message;
  }

  std::vector<Pragma> &found_;
};

} // namespace

std::unique_ptr<clang::PragmaHandler> pragmaReader(std::vector<Pragma> &found) {
  return std::make_unique<PragmaReader>(found);
}

} // namespace forerun::slicer
