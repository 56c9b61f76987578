// SPDX-License-Identifier: Apache-2.0
#include "input/Quotes.h"

#include "input/Traversal.h"
#include "models/Worklist.h"

#include <algorithm>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <set>

namespace forerun::slicer {

using clang::SourceLocation;

namespace {

class Strings : public Traversal {
public:
  std::vector<const clang::StringLiteral *> found;

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *text = llvm::dyn_cast<clang::StringLiteral>(&node))
      found.push_back(text);
    return true;
  }
};

/// Whether \p text contains a call that begins with \p token: a function's name alone is no call.
bool containsCall(llvm::StringRef text, llvm::StringRef token) {
  const bool isName = clang::isAsciiIdentifierStart(token.front());
  for (auto at = text.find(token); at != llvm::StringRef::npos; at = text.find(token, at + 1))
    if (!isName || text.drop_front(at + token.size()).ltrim().starts_with("("))
      return true;
  return false;
}

} // namespace

Quotes::Quotes(clang::ASTContext &unit, clang::Preprocessor &preprocessor)
    : ast_(unit), preprocessor_(preprocessor) {
  const auto &sources = unit.getSourceManager();
  Strings strings;
  strings.traverse(unit);
  for (const clang::StringLiteral *text : strings.found)
    for (unsigned i = 0; i < text->getNumConcatenated(); ++i) {
      SourceLocation at = text->getStrTokenLoc(i);
      const SourceLocation use = sources.getExpansionLoc(at);
      while (at.isMacroID() && sources.isMacroArgExpansion(at)) // given on to other macros
        at = sources.getImmediateSpellingLoc(at);
      if (at.isMacroID() && sources.isWrittenInScratchSpace(sources.getSpellingLoc(at)))
        made_[use].push_back(
            {sources.getFileID(sources.getImmediateExpansionRange(at).getBegin()), text});
    }
}

/// Whether the parameter at `use`, in the expansion of a macro's body, is also one that this macro
/// makes a string of.
bool Quotes::isQuotedParameter(SourceLocation use) const {
  const auto &sources = ast_.getSourceManager();
  if (!use.isMacroID() || sources.isMacroArgExpansion(use))
    return false;
  const auto spelled = sources.getSpellingLoc(use);
  const auto parameter = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(spelled, spelled), sources, ast_.getLangOpts());
  const auto name = clang::Lexer::getImmediateMacroName(use, sources, ast_.getLangOpts());
  const auto *macro = preprocessor_
                          .getMacroDefinitionAtLoc(preprocessor_.getIdentifierInfo(name),
                                                   sources.getExpansionLoc(use))
                          .getMacroInfo();
  if (!macro)
    return true; // it is another macro by now
  const auto tokens = macro->tokens();
  for (std::size_t i = 0; i + 1 < tokens.size(); i++) {
    const auto *quoted = tokens[i + 1].getIdentifierInfo();
    if (tokens[i].is(clang::tok::hash) && quoted && quoted->getName() == parameter)
      return true;
  }
  return false;
}

Quotes::Quoted Quotes::quoted(const clang::CallExpr *call) const {
  const auto &sources = ast_.getSourceManager();
  Quoted result;
  std::set<clang::FileID> asWritten; // expansions whose strings have the argument as it is written
  Worklist<SourceLocation> open{call->getBeginLoc()};
  while (const auto location = open.next()) {
    if (location->isFileID())
      continue;
    const SourceLocation use = sources.getImmediateExpansionRange(*location).getBegin();
    open.add(use);
    if (!sources.isMacroArgExpansion(*location))
      continue;
    SourceLocation given = sources.getImmediateSpellingLoc(*location);
    open.add(given);
    if (!isQuotedParameter(use))
      continue;
    // Where the quoting macro is used, the use of another one may be the argument.
    const auto level = sources.getFileID(sources.getImmediateExpansionRange(use).getBegin());
    while (given.isMacroID() && !sources.isMacroArgExpansion(given) &&
           sources.getFileID(given) != level)
      given = sources.getImmediateExpansionRange(given).getBegin();
    if (sources.isMacroArgExpansion(given))
      continue;
    asWritten.insert(sources.getFileID(use));
    result.written.push_back(sources.getSpellingLoc(given));
  }
  // All others have it as it was expanded, whether or not the call comes through the same macro:
  // `run(x, TEXT(x))`, where TEXT makes a string of x by another macro.
  const SourceLocation spelled = sources.getSpellingLoc(call->getBeginLoc());
  const auto token = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(spelled, spelled), sources, ast_.getLangOpts());
  if (const auto made = made_.find(sources.getExpansionLoc(call->getBeginLoc()));
      made != made_.end())
    result.isExpanded = std::ranges::any_of(made->second, [&](const Made &each) {
      return asWritten.count(each.by) == 0 && containsCall(each.text->getBytes(), token);
    });
  return result;
}

bool Quotes::isVisible(const clang::CallExpr *call, const Stretch &place) const {
  const Quoted found = quoted(call);
  return found.isExpanded || std::ranges::any_of(found.written, [&](SourceLocation each) {
           const auto [file, offset] = ast_.getSourceManager().getDecomposedLoc(each);
           return place.contains({file, offset, offset});
         });
}

} // namespace forerun::slicer
