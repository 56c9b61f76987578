// SPDX-License-Identifier: Apache-2.0
// Syntax that macros make, as the preprocessor has made it.
#include "emit/ExprWriter.h"

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/TokenConcatenation.h>
#include <llvm/ADT/StringExtras.h>

namespace forerun::slicer {

namespace {

/// Whether the two characters could become one token.
bool mayJoin(char left, char right) {
  const auto isOfWord = [](char each) { return llvm::isAlnum(each) || each == '_'; };
  const llvm::StringRef operators = "+-*/%&|^<>=!.#";
  return (isOfWord(left) && isOfWord(right)) ||
         (operators.contains(left) && operators.contains(right));
}

/// Puts tokens, and texts in place of some, one after the other.
class Line {
public:
  explicit Line(const clang::Preprocessor &preprocessor) : concatenation_(preprocessor) {}

  void add(const clang::Token &token, const std::string &spelling) {
    const bool joins = hasToken_ ? concatenation_.AvoidConcat(before_, last_, token)
                                 : !text_.empty() && mayJoin(text_.back(), spelling.front());
    append(token, spelling, joins);
    before_ = hasToken_ ? last_ : clang::Token();
    last_ = token;
    hasToken_ = true;
  }

  /// `first` is the first of the tokens in whose place the text is.
  void addInstead(const clang::Token &first, const std::string &text) {
    append(first, text, !text_.empty() && !text.empty() && mayJoin(text_.back(), text.front()));
    hasToken_ = false;
  }

  bool isAfterDot() const {
    return hasToken_ && last_.isOneOf(clang::tok::period, clang::tok::arrow);
  }
  const std::string &text() const { return text_; }

private:
  void append(const clang::Token &token, const std::string &text, bool joins) {
    if (!text_.empty() && (joins || token.hasLeadingSpace() || token.isAtStartOfLine()))
      text_ += ' ';
    text_ += text;
  }

  const clang::TokenConcatenation concatenation_;
  std::string text_;
  clang::Token before_, last_;
  bool hasToken_ = false; ///< the last part is `last_`
};

/// The token at the end of the unit, where a name may have become that of a macro; empty if it cannot
/// be named there.
std::optional<std::string> spelledAtTheEnd(const clang::Token &token, const clang::Token *next,
                                           bool isMember, const EmitScope &scope) {
  auto &preprocessor = scope.unit.ast->getPreprocessor();
  std::string spelling = preprocessor.getSpelling(token);
  const auto *name = token.getIdentifierInfo();
  const auto *macro = name ? preprocessor.getMacroInfo(name) : nullptr;
  if (!macro || name->isKeyword(scope.ast.getLangOpts())) // keywords are plain there
    return spelling;
  if (macro->isFunctionLike()) {
    if (!next || next->isNot(clang::tok::l_paren))
      return spelling;
    return isMember ? std::nullopt : std::optional("(" + spelling + ")"); // no use of the macro
  }
  const bool isItself = macro->getNumTokens() == 1 && // #define stdin stdin
                        macro->getReplacementToken(0).getIdentifierInfo() == name;
  return isItself ? std::optional(spelling) : std::nullopt;
}

} // namespace

/// Empty if the tokens of a part are not known, or mean something else at the end of the unit.
std::optional<std::string> ExprWriter::expanded(clang::SourceRange range,
                                                const std::vector<Replaced> &replaced) {
  const Expanded &tokens = scope_.unit.expanded;
  const auto all = tokens.tokensOf(range);
  if (!all)
    return std::nullopt;
  std::map<std::size_t, std::pair<std::size_t, const std::string *>> texts; // by first token
  for (const Replaced &each : replaced) {
    const auto part = tokens.tokensOf(each.range);
    if (!part || part->first < all->first || part->second > all->second)
      return std::nullopt;
    const auto [known, isNew] = texts.try_emplace(part->first, part->second, &each.text);
    if (!isNew && (known->second.first != part->second || *known->second.second != each.text))
      return std::nullopt;
  }
  Line line(scope_.unit.ast->getPreprocessor());
  for (std::size_t i = all->first; i <= all->second; i++) {
    if (const auto text = texts.find(i); text != texts.end()) {
      line.addInstead(tokens.at(i), *text->second.second);
      i = text->second.first;
      continue;
    }
    const auto *next = i < all->second ? &tokens.at(i + 1) : nullptr;
    const auto spelling = spelledAtTheEnd(tokens.at(i), next, line.isAfterDot(), scope_);
    if (!spelling)
      return std::nullopt;
    line.add(tokens.at(i), *spelling);
  }
  return line.text();
}

} // namespace forerun::slicer
