// SPDX-License-Identifier: Apache-2.0
#include "emit/Marks.h"

#include <algorithm>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/Twine.h>

namespace forerun::slicer {

namespace {

constexpr llvm::StringLiteral kMark = "\1\1", kBeforeLine = "\2", kMarkEnd = "\3";

} // namespace

std::string markOf(const clang::Stmt &stmt, const clang::SourceManager &sources) {
  const auto place = sources.getPresumedLoc(sources.getExpansionLoc(stmt.getBeginLoc()));
  return place.isInvalid() ? ""
                           : (llvm::Twine(kMark) + place.getFilename() + kBeforeLine +
                              llvm::Twine(place.getLine()) + kMarkEnd)
                                 .str();
}

std::string withoutMarks(const std::string &text, const Unit &unit, unsigned line,
                         std::vector<Written> &written) {
  std::string result;
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    auto [mark, after] = rest.split(kMarkEnd);
    const auto [file, number] = mark.split(kBeforeLine);
    Written place{&unit, line, file.drop_front(std::min(file.size(), kMark.size())).str(), 0};
    if (file.starts_with(kMark) && !number.getAsInteger(10, place.line)) {
      written.push_back(std::move(place));
      rest = after;
      continue;
    }
    const auto next = std::min(rest.find(kMark, 1), rest.size());
    result += rest.take_front(next).str();
    line += unsigned(rest.take_front(next).count('\n'));
    rest = rest.drop_front(next);
  }
  return result;
}

} // namespace forerun::slicer
