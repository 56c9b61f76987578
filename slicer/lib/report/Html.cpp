// SPDX-License-Identifier: Apache-2.0
#include "report/Html.h"

#include "models/Ids.h"
#include "report/Locations.h"
#include "report/Summary.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringExtras.h>

namespace forerun::slicer {

namespace {

constexpr const char *kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Forerun: the slice</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em; color: #222; background: #fff }
h2 { font-size: 1.1em; margin: 2em 0 .5em; font-family: ui-monospace, monospace }
table { border-collapse: collapse; width: 100% }
td { font: 13px/1.5 ui-monospace, monospace; vertical-align: top; padding: 0 .6em }
td.number { text-align: right; color: #8a8a8a; width: 1%; user-select: none; border-right: 3px solid #eee }
td.text { white-space: pre-wrap; tab-size: 8; color: #777 }
tr.kept td.text { background: #eef5ff; color: #000 }
tr.kept td.number { border-right-color: #3b7dd8; color: #3b7dd8 }
.mark { display: inline-block; margin-left: .8em; padding: 0 .5em; border-radius: .6em; font: 12px/1.4 system-ui, sans-serif; color: #000; white-space: normal }
.read { background: #bfe8c5 } .forwarded { background: #ffe0b0 } .sync { background: #e3d1f5 }
.io { background: #dde3ea } .out { background: #f3f3f3; color: #666 } .note { background: #fff4b8 }
.end { background: #f9c7c4 } .slice { background: #eef5ff; border-right: 3px solid #3b7dd8 }
p.legend .mark { margin: 0 .8em .2em 0 }
</style>
</head>
<body>
<h1>What the pre-execution thread runs</h1>
)";

constexpr const char *kLegend = R"(<p class="legend">
<span class="mark slice">a statement of the slice</span>
<span class="mark read">a read that is announced</span>
<span class="mark forwarded">a value forwarded by the main thread</span>
<span class="mark sync">a synchronisation point</span>
<span class="mark io">what else is done with the file</span>
<span class="mark end">pre-execution ends</span>
<span class="mark out">left out</span>
<span class="mark note">a note</span>
</p>
)";

std::string escaped(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

/// The kind of the call in the legend.
llvm::StringRef kindOf(const Analysis &analysis, const Call &call) {
  const auto found = analysis.slice().plans.find(call.expr);
  if (found == analysis.slice().plans.end())
    return "out";
  const CallPlan plan = chosen(found->second, call.name);
  switch (plan.action) {
  case CallPlan::Action::Receive:
    return "forwarded";
  case CallPlan::Action::Exit:
    return "end";
  case CallPlan::Action::Io:
    break;
  default:
    return "out";
  }
  switch (plan.io) {
  case CallPlan::Io::Open:
  case CallPlan::Io::WriteAt:
  case CallPlan::Io::Write:
  case CallPlan::Io::Seek:
  case CallPlan::Io::View:
    return "io";
  case CallPlan::Io::Sync:
    return "sync";
  default:
    return "read";
  }
}

class Page {
public:
  Page(const Analysis &analysis, const Units &units)
      : analysis_(analysis), program_(analysis.program()), locations_(program_, units) {
    for (const Unit &unit : units)
      fileOf(*unit.ast, unit.ast->getSourceManager().getMainFileID());
    markStatements();
    for (const Call &call : program_.calls)
      if (const auto fate = fateOf(analysis, call))
        mark(call.expr, call.caller, kindOf(analysis, call), call.name + ": " + *fate);
    for (const Note &note : notesOf(analysis))
      mark(note.where, note.function, "note", note.text);
  }

  std::string text() const {
    std::string result = kHead;
    result += "<p>" + std::to_string(kept_) + " of " + std::to_string(statements_) +
              " statements are in the slice.</p>\n";
    result += kLegend;
    for (const File &file : files_) {
      result += "<h2>" + escaped(file.name) + "</h2>\n<table>\n";
      llvm::StringRef rest = file.text;
      for (unsigned number = 1; !rest.empty(); ++number) {
        const auto [text, after] = rest.split('\n');
        const auto line = file.lines.find(number);
        result += row(number, text, line == file.lines.end() ? Line() : line->second);
        rest = after;
      }
      result += "</table>\n";
    }
    return result + "</body>\n</html>\n";
  }

private:
  struct Line {
    bool isKept = false;
    std::vector<std::pair<llvm::StringRef, std::string>> marks;
  };
  struct File {
    std::string name;
    llvm::StringRef text;
    std::map<unsigned, Line> lines;
  };

  static std::string row(unsigned number, llvm::StringRef text, const Line &line) {
    std::string result = line.isKept ? "<tr class=\"kept\">" : "<tr>";
    result += "<td class=\"number\">" + std::to_string(number) + "</td><td class=\"text\">" +
              escaped(text.rtrim('\r'));
    for (const auto &[kind, what] : line.marks)
      result += "<span class=\"mark " + kind.str() + "\">" + escaped(what) + "</span>";
    return result + "</td></tr>\n";
  }

  /// A header that several units include is one file here.
  File &fileOf(const clang::ASTUnit &unit, clang::FileID id) {
    const auto &manager = unit.getSourceManager();
    const auto entry = manager.getFileEntryRefForID(id);
    const std::string name = entry ? entry->getName().str() : "";
    for (File &file : files_)
      if (file.name == name)
        return file;
    files_.push_back({name, manager.getBufferData(id), {}});
    return files_.back();
  }

  /// First and last line in the file itself, whatever #line says; `file` stays null if there is
  /// none.
  std::pair<unsigned, unsigned> linesOf(const clang::Stmt *stmt, FunctionId function, File *&file) {
    const clang::ASTUnit *unit = locations_.unitOf(function);
    if (!unit || !stmt)
      return {};
    const auto &manager = unit->getSourceManager();
    const auto begin = manager.getExpansionLoc(stmt->getBeginLoc());
    file = &fileOf(*unit, manager.getFileID(begin));
    return {manager.getExpansionLineNumber(begin),
            manager.getExpansionLineNumber(stmt->getEndLoc())};
  }

  void mark(const clang::Stmt *stmt, FunctionId function, llvm::StringRef kind,
            const std::string &text) {
    File *file = nullptr;
    const auto [line, last] = linesOf(stmt, function, file);
    if (!file)
      return;
    auto &marks = file->lines[line].marks;
    if (std::find(marks.begin(), marks.end(), std::pair(kind, text)) == marks.end())
      marks.emplace_back(kind, text);
  }

  void markStatements() {
    for (const NodeId id : ids(program_.nodes)) {
      const Node &node = program_.nodes[id];
      if (!isStatement(program_, node))
        continue;
      ++statements_;
      if (!analysis_.closure().isPresent(id))
        continue;
      ++kept_;
      File *file = nullptr;
      const bool holdsOthers =
          node.kind == Node::Kind::Predicate || clang::isa<clang::LabelStmt>(node.stmt);
      const auto [first, last] = linesOf(locations_.partOf(node), node.function, file);
      for (unsigned line = first; file && line <= (holdsOthers ? first : last); ++line)
        file->lines[line].isKept = true;
    }
  }

  const Analysis &analysis_;
  const Program &program_;
  const Locations locations_;
  std::vector<File> files_;
  std::size_t statements_ = 0, kept_ = 0;
};

} // namespace

std::string html(const Analysis &analysis, const Units &units) {
  return Page(analysis, units).text();
}

} // namespace forerun::slicer
