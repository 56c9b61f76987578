// SPDX-License-Identifier: Apache-2.0
#include "input/Places.h"

#include "models/Worklist.h"
#include <algorithm>
#include <clang/Lex/Lexer.h>
#include <set>

namespace forerun::slicer {

using clang::SourceLocation;

namespace {

unsigned tokenLength(SourceLocation location, const clang::ASTContext &ast) {
  return clang::Lexer::MeasureTokenLength(location, ast.getSourceManager(), ast.getLangOpts());
}

/// From the first character of the token at `begin` to the last of the one at `end`, both spelled
/// in one file.
std::optional<Stretch> spelledStretch(SourceLocation begin, SourceLocation end,
                                      const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  auto [file, from] = sources.getDecomposedLoc(sources.getSpellingLoc(begin));
  auto [endFile, to] = sources.getDecomposedLoc(sources.getSpellingLoc(end));
  if (file != endFile || to < from)
    return std::nullopt;
  return Stretch{file, from, to + tokenLength(sources.getSpellingLoc(end), ast)};
}

/// `location`, and its locations outside the macros that it is in, as long as it is the first (or
/// the last) token of their expansions; an argument is looked up where it is written.
std::vector<SourceLocation> wayOut(SourceLocation location, bool isEnd,
                                   const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  std::vector<SourceLocation> way{location};
  while (location.isMacroID()) {
    SourceLocation outer;
    if (sources.isMacroArgExpansion(location)) {
      outer = sources.getImmediateSpellingLoc(location);
    } else if (isEnd) {
      auto after =
          location.getLocWithOffset(int(tokenLength(sources.getSpellingLoc(location), ast)));
      if (!sources.isAtEndOfImmediateMacroExpansion(after, &outer))
        break;
    } else if (!sources.isAtStartOfImmediateMacroExpansion(location, &outer)) {
      break;
    }
    location = outer;
    way.push_back(location);
  }
  return way;
}

/// `location` as seen from the macro expansion `level`: a token from an inner macro or an argument
/// is where that was used.
std::optional<SourceLocation> seenFrom(clang::FileID level, SourceLocation location, bool isEnd,
                                       const clang::SourceManager &sources) {
  while (sources.getFileID(location) != level) {
    if (location.isFileID())
      return std::nullopt;
    auto spelling = sources.getImmediateSpellingLoc(location);
    if (sources.getFileID(spelling) == level)
      return spelling;
    auto range = sources.getImmediateExpansionRange(location);
    location = isEnd ? range.getEnd() : range.getBegin();
  }
  return location;
}

std::vector<std::string> argumentTexts(const clang::CallExpr *call, const Stretch &place,
                                       const clang::ASTContext &ast) {
  std::vector<std::string> texts;
  for (const auto *argument : call->arguments()) {
    auto stretch = stretchOf(argument->getSourceRange(), ast);
    bool inside = stretch && place.contains(*stretch);
    texts.push_back(inside ? textOf(*stretch, ast) : std::string());
  }
  return texts;
}

/// The arguments in a macro's definition, where parameters keep their names. Arguments that one
/// parameter (`__VA_ARGS__`) stands for cannot be named one by one.
std::vector<std::string> argumentTextsInMacro(const clang::CallExpr *call, clang::FileID level,
                                              const clang::ASTContext &ast) {
  std::vector<std::string> texts;
  std::vector<Stretch> seen;
  for (const auto *argument : call->arguments()) {
    const auto &sources = ast.getSourceManager();
    auto begin = seenFrom(level, argument->getBeginLoc(), false, sources);
    auto end = seenFrom(level, argument->getEndLoc(), true, sources);
    auto stretch = begin && end ? spelledStretch(*begin, *end, ast) : std::nullopt;
    bool shared = stretch && !seen.empty() && stretch->begin < seen.back().end;
    texts.push_back(stretch && !shared ? textOf(*stretch, ast) : std::string());
    if (shared)
      texts[texts.size() - 2].clear();
    if (stretch)
      seen.push_back(*stretch);
  }
  return texts;
}

} // namespace

std::optional<Stretch> stretchOf(clang::SourceRange range, const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  auto text = clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), sources,
                                              ast.getLangOpts());
  if (text.isInvalid())
    return std::nullopt;
  auto [file, begin] = sources.getDecomposedLoc(text.getBegin());
  return Stretch{file, begin, sources.getFileOffset(text.getEnd())};
}

std::string textOf(const Stretch &stretch, const clang::ASTContext &ast) {
  auto text = ast.getSourceManager().getBufferData(stretch.file);
  return text.slice(stretch.begin, stretch.end).str();
}

bool isCallText(const Stretch &stretch, const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  const auto text = sources.getBufferData(stretch.file);
  clang::Lexer lexer(sources.getLocForStartOfFile(stretch.file), ast.getLangOpts(), text.begin(),
                     text.begin() + stretch.begin, text.end());
  unsigned depth = 0;
  clang::Token token;
  bool isEnd = false;
  for (;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof) || sources.getFileOffset(token.getLocation()) >= stretch.end)
      return isEnd && depth == 0;
    const bool closes = token.is(clang::tok::r_paren);
    if ((closes && depth == 0) ||
        (depth == 0 && token.isOneOf(clang::tok::comma, clang::tok::semi)))
      return false;
    isEnd = closes;
    depth += token.is(clang::tok::l_paren) ? 1U : 0U;
    depth -= closes ? 1U : 0U;
  }
}

std::optional<CallPlace> placeOf(const clang::CallExpr *call, const clang::ASTContext &ast) {
  if (auto stretch = stretchOf(call->getSourceRange(), ast); stretch && isCallText(*stretch, ast))
    return CallPlace{*stretch, false, argumentTexts(call, *stretch, ast)};
  const auto &sources = ast.getSourceManager();
  for (auto begin : wayOut(call->getBeginLoc(), false, ast))
    for (auto end : wayOut(call->getEndLoc(), true, ast)) {
      auto level = sources.getFileID(begin);
      if (level != sources.getFileID(end))
        continue;
      if (auto stretch = spelledStretch(begin, end, ast); stretch && isCallText(*stretch, ast))
        return CallPlace{*stretch, true, argumentTextsInMacro(call, level, ast)};
    }
  return std::nullopt;
}

std::optional<Stretch> spellingOf(const clang::CallExpr *call, const clang::ASTContext &ast) {
  return spelledStretch(call->getBeginLoc(), call->getEndLoc(), ast);
}

std::vector<std::pair<clang::FileID, unsigned>> beginningsOf(const clang::CallExpr *call,
                                                             const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  std::vector<std::pair<clang::FileID, unsigned>> places;
  for (const SourceLocation each : wayOut(call->getBeginLoc(), false, ast))
    places.push_back(sources.getDecomposedLoc(sources.getSpellingLoc(each)));
  return places;
}

std::optional<Stretch> useAround(const clang::CallExpr *call, const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  if (call->getBeginLoc().isFileID())
    return std::nullopt;
  return spelledStretch(sources.getExpansionRange(call->getBeginLoc()).getBegin(),
                        sources.getExpansionRange(call->getEndLoc()).getEnd(), ast);
}

bool isWholeAtItsName(const clang::CallExpr *call, const clang::ASTContext &ast) {
  const auto &sources = ast.getSourceManager();
  std::set<clang::FileID> levels; // of all expansions that the name comes through
  std::vector<SourceLocation> open{call->getBeginLoc()};
  const auto isNew = [&](SourceLocation location) {
    return levels.insert(sources.getFileID(location)).second;
  };
  while (!open.empty()) {
    const SourceLocation location = open.back();
    open.pop_back();
    if (!isNew(location) || location.isFileID())
      continue;
    open.push_back(sources.getImmediateExpansionRange(location).getBegin());
    if (sources.isMacroArgExpansion(location))
      open.push_back(sources.getImmediateSpellingLoc(location));
  }
  // What an argument contains is there before the name is met.
  Worklist<SourceLocation> ends{call->getEndLoc()};
  while (const auto location = ends.next()) {
    if (levels.count(sources.getFileID(*location)) > 0)
      return true;
    if (location->isMacroID() && sources.isMacroArgExpansion(*location)) {
      ends.add(sources.getImmediateExpansionRange(*location).getBegin());
      ends.add(sources.getImmediateSpellingLoc(*location));
    }
  }
  return false;
}

} // namespace forerun::slicer
