// SPDX-License-Identifier: Apache-2.0
#include "emit/PragmaInsertions.h"

#include <clang/AST/Stmt.h>
#include <clang/Lex/Lexer.h>

namespace forerun::slicer {

std::string handOver(int site, const std::string &name) {
  return std::to_string(site) + ", (void *)&" + name + ", sizeof " + name;
}

namespace {

/// The end of the statement, with or without its semicolon, which is not part of it in the AST.
unsigned endOf(const clang::Stmt *stmt, const EmitScope &scope, bool withSemicolon) {
  const auto last = scope.sources.getExpansionRange(stmt->getEndLoc()).getEnd();
  const auto next = clang::Lexer::findNextToken(last, scope.sources, scope.ast.getLangOpts());
  const auto end =
      withSemicolon && next && next->is(clang::tok::semi)
          ? next->getEndLoc()
          : clang::Lexer::getLocForEndOfToken(last, 0, scope.sources, scope.ast.getLangOpts());
  return scope.sources.getFileOffset(end);
}

} // namespace

std::string forwardVariable(int site, const clang::VarDecl &variable) {
  const std::string name = variable.getNameAsString();
  if (variable.getType()->isArrayType())
    return "forerun_main_forward(" + handOver(site, name) + ");";
  return "{ __typeof__(" + name + ") __forerun_value = " + name + "; forerun_main_forward(" +
         handOver(site, "__forerun_value") + "); }";
}

std::vector<PragmaInsertion> pragmaInsertions(const EmitScope &scope) {
  std::vector<PragmaInsertion> result;
  const auto isHere = [&](const clang::FunctionDecl *function) {
    return &function->getASTContext() == &scope.ast;
  };
  const Slice &slice = scope.slice;
  if (slice.launch && isHere(slice.launchIn)) {
    const auto begin = scope.sources.getExpansionLoc(slice.launch->getBeginLoc());
    result.push_back({slice.launchIn, scope.sources.getFileOffset(begin),
                      "(void)forerun_main_start(" + scope.names.mainTwin() + ", " +
                          std::to_string(slice.sites) + ", 0); "});
  }
  for (const auto &[stmt, each] : slice.handedOverInOrder())
    if (isHere(each.function)) {
      const std::string forward = forwardVariable(each.site, *each.variable);
      result.push_back({each.function, endOf(stmt, scope, !each.isBranch),
                        each.isBranch ? ", __extension__({ " + forward + " })" : " " + forward});
    }
  return result;
}

} // namespace forerun::slicer
