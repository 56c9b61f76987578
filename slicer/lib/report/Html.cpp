// SPDX-License-Identifier: Apache-2.0
#include "report/Html.h"

#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "report/HtmlTexts.h"
#include "report/Locations.h"
#include "report/Summary.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringExtras.h>

namespace forerun::slicer {

namespace {

std::string escaped(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::printHTMLEscaped(text, out);
  return result;
}

/// The kind of a note in the legend.
llvm::StringRef kindOf(const Note &note) {
  return llvm::StringRef(note.text).starts_with("pre-execution ends") ? "end" : "note";
}

/// The kind of the call in the legend.
llvm::StringRef kindOf(const Analysis &analysis, const Call &call) {
  const CallPlan *plan = analysis.slice().planOf(call.expr);
  if (!plan || !analysis.isReached(call))
    return "out";
  const CallPlan::Action &action = plan->actionFor(call.name);
  if (std::holds_alternative<CallPlan::Receive>(action))
    return "forwarded";
  if (std::holds_alternative<CallPlan::Exit>(action))
    return "end";
  const auto *io = std::get_if<CallPlan::Io>(&action);
  if (!io)
    return "out";
  using Form = CallPlan::Io::Form;
  if (io->form == Form::Close || io->form == Form::Sync)
    return "sync";
  return io->isRead() || io->form == Form::ReadOrdered || io->isFetch() ? "read" : "io";
}

/// What becomes of a call, and why, as far as the fate itself says.
struct FateAndReason {
  llvm::StringRef fate, reason;
};

FateAndReason taken(llvm::StringRef fate) {
  const auto [before, reason] = fate.split(": ");
  if (!reason.empty())
    return {before, reason};
  if (fate == "prefetched")
    return {fate, "the pre-execution thread computes where it reads, and continues"};
  const auto [what, needed] = fate.split(", ");
  return {what, needed.empty() ? "" : needed};
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
        addCall(call, *fate);
    for (const Note &note : notesOf(analysis))
      notes_.push_back(
          {mark(note.where, note.function, kindOf(note), note.text), kindOf(note), "", note.text});
    findFunctions();
  }

  std::string text() const {
    std::string result = kHtmlHead;
    result += "<p>" + std::to_string(kept_) + " of " + std::to_string(statements_) +
              " statements run ahead; " + std::to_string(announced_) + " of " +
              std::to_string(used_) + " reads will be prefetched.</p>\n";
    result += kHtmlLegend;
    result += "<main>\n<nav>\n" + calls("Reads", reads_) + calls("Other calls", others_) +
              calls("Notes", notes_) + functions() + "</nav>\n<section>\n";
    for (std::size_t n = 0; n < files_.size(); ++n)
      result += source(n);
    return result + "</section>\n</main>\n</body>\n</html>\n";
  }

private:
  struct Place {
    std::size_t file = 0;
    unsigned line = 0; ///< 0: none
  };
  struct Line {
    bool isKept = false;
    std::vector<std::pair<llvm::StringRef, std::string>> marks;
  };
  struct Function {
    std::string name;
    unsigned first = 0, last = 0;
    std::size_t statements = 0, kept = 0;
  };
  struct File {
    std::string name;
    llvm::StringRef text;
    std::map<unsigned, Line> lines;
    std::vector<Function> functions; ///< in order; none is inside another
  };
  /// A row of the tables that the page begins with.
  struct Row {
    Place place;
    llvm::StringRef kind;
    std::string name, text;
  };

  static std::string anchor(Place place) {
    return "f" + std::to_string(place.file) + "-" + std::to_string(place.line);
  }

  std::string link(Place place, const std::string &text) const {
    return place.line == 0 ? text : "<a href=\"#" + anchor(place) + "\">" + text + "</a>";
  }

  std::string calls(const char *title, const std::vector<Row> &rows) const {
    if (rows.empty())
      return "";
    std::string result = "<h2>" + std::string(title) + "</h2>\n<table>\n";
    for (const Row &row : rows) {
      const std::string where = row.place.line == 0 ? ""
                                                    : escaped(files_[row.place.file].name) + ":" +
                                                          std::to_string(row.place.line);
      const bool isNote = row.name.empty();
      const FateAndReason is = isNote ? FateAndReason{"", row.text} : taken(row.text);
      result += "<tr><td>" +
                (isNote ? link(row.place, where)
                        : "<code>" + link(row.place, escaped(row.name)) +
                              "</code><span class=\"where\">" + where + "</span>") +
                "</td>";
      if (!isNote)
        result +=
            "<td><span class=\"mark " + row.kind.str() + "\">" + escaped(is.fate) + "</span></td>";
      result += "<td>" + escaped(is.reason) + "</td></tr>\n";
    }
    return result + "</table>\n";
  }

  /// Tables of all functions, each with a link to its source.
  std::string functions() const {
    std::string result;
    for (std::size_t n = 0; n < files_.size(); ++n) {
      if (files_[n].functions.empty())
        continue;
      result += "<h2>" + escaped(files_[n].name) +
                "</h2>\n<table>\n"
                "<tr><th>function</th><th>statements that run ahead</th></tr>\n";
      for (const Function &each : files_[n].functions)
        result += "<tr><td><code>" + link({n, each.first}, escaped(each.name)) +
                  "</code></td><td>" + (each.kept == 0 ? "none" : std::to_string(each.kept)) +
                  " of " + std::to_string(each.statements) + "</td></tr>\n";
      result += "</table>\n";
    }
    return result;
  }

  /// Functions in which nothing is marked are folded.
  std::string source(std::size_t number) const {
    const File &file = files_[number];
    std::string result = "<h2>" + escaped(file.name) + "</h2>\n<div class=\"source\">\n";
    auto function = file.functions.begin();
    llvm::StringRef rest = file.text;
    for (unsigned line = 1; !rest.empty(); ++line) {
      const auto [text, after] = rest.split('\n');
      const bool isFolded = function != file.functions.end() && !isTouched(file, *function);
      if (isFolded && line == function->first)
        result += "<details><summary><code>" + escaped(function->name) +
                  "</code>: " + std::to_string(function->last - function->first + 1) +
                  " lines, nothing of them runs ahead</summary>\n";
      const auto found = file.lines.find(line);
      result += row({number, line}, text, found == file.lines.end() ? Line() : found->second);
      if (function != file.functions.end() && line == function->last) {
        result += isFolded ? "</details>\n" : "";
        ++function;
      }
      rest = after;
    }
    return result + "</div>\n";
  }

  static bool isTouched(const File &file, const Function &function) {
    const auto first = file.lines.lower_bound(function.first);
    return first != file.lines.end() && first->first <= function.last;
  }

  static std::string row(Place place, llvm::StringRef text, const Line &line) {
    std::string result = "<div class=\"line" + std::string(line.isKept ? " kept" : "") +
                         "\" id=\"" + anchor(place) + "\"><span class=\"number\">" +
                         std::to_string(place.line) + "</span><span class=\"text\">" +
                         escaped(text.rtrim('\r'));
    for (const auto &[kind, what] : line.marks)
      result += "<span class=\"mark " + kind.str() + "\">" + escaped(what) + "</span>";
    return result + "</span></div>\n";
  }

  /// A header that several units include is one file here.
  std::size_t fileOf(const clang::ASTUnit &unit, clang::FileID id) {
    const auto &manager = unit.getSourceManager();
    const auto entry = manager.getFileEntryRefForID(id);
    const std::string name = entry ? entry->getName().str() : "";
    for (std::size_t n = 0; n < files_.size(); ++n)
      if (files_[n].name == name)
        return n;
    files_.push_back({name, manager.getBufferData(id), {}, {}});
    return files_.size() - 1;
  }

  /// The first and the last line of the range in the file itself, whatever #line says.
  std::pair<Place, unsigned> linesOf(clang::SourceRange range, FunctionId function) {
    const clang::ASTUnit *unit = locations_.unitOf(function);
    if (!unit || range.isInvalid())
      return {};
    const auto &manager = unit->getSourceManager();
    const auto begin = manager.getExpansionLoc(range.getBegin());
    return {{fileOf(*unit, manager.getFileID(begin)), manager.getExpansionLineNumber(begin)},
            manager.getExpansionLineNumber(range.getEnd())};
  }

  Place mark(const clang::Stmt *stmt, FunctionId function, llvm::StringRef kind,
             const std::string &text) {
    if (!stmt)
      return {};
    const Place place = linesOf(stmt->getSourceRange(), function).first;
    if (place.line == 0)
      return {};
    auto &marks = files_[place.file].lines[place.line].marks;
    if (std::find(marks.begin(), marks.end(), std::pair(kind, text)) == marks.end())
      marks.emplace_back(kind, text);
    return place;
  }

  void addCall(const Call &call, const std::string &fate) {
    const llvm::StringRef kind = kindOf(analysis_, call);
    const Place place = mark(call.expr, call.caller, kind, call.name + ": " + fate);
    const bool reads = isRead(call) || isTwinRead(call);
    announced_ += reads && llvm::StringRef(fate).starts_with("prefetched");
    used_ += reads && fate != "left out: its function is not used";
    (reads ? reads_ : others_).push_back({place, kind, call.name, fate});
  }

  void markStatements() {
    for (const NodeId id : ids(program_.nodes)) {
      const Node &node = program_.nodes[id];
      if (!isStatement(program_, node) || !analysis_.closure().speaksForAll(node.function))
        continue;
      ++statements_;
      ++statementsOf_[node.function];
      if (!analysis_.closure().isPresent(id))
        continue;
      ++kept_;
      ++keptOf_[node.function];
      const clang::Stmt *stmt = locations_.partOf(node);
      if (!stmt)
        continue;
      const bool holdsOthers =
          node.kind == Node::Kind::Predicate || clang::isa<clang::LabelStmt>(node.stmt);
      const auto [first, last] = linesOf(stmt->getSourceRange(), node.function);
      for (unsigned line = first.line; line != 0 && line <= (holdsOthers ? first.line : last);
           ++line)
        files_[first.file].lines[line].isKept = true;
    }
  }

  void findFunctions() {
    for (const FunctionId id : ids(program_.functions))
      if (const auto *definition = program_.functions[id].definition;
          definition && analysis_.closure().speaksForAll(id)) {
        const auto [first, last] = linesOf(definition->getSourceRange(), id);
        if (first.line != 0 && last >= first.line)
          files_[first.file].functions.push_back(
              {definition->getNameAsString(), first.line, last, statementsOf_[id], keptOf_[id]});
      }
    for (File &file : files_) {
      auto &all = file.functions;
      std::sort(all.begin(), all.end(),
                [](const Function &a, const Function &b) { return a.first < b.first; });
      unsigned last = 0; // of several on one line, or one in another, only the first is shown
      all.erase(std::remove_if(all.begin(), all.end(),
                               [&](const Function &each) {
                                 return each.first <=
                                        std::exchange(last, std::max(last, each.last));
                               }),
                all.end());
    }
  }

  const Analysis &analysis_;
  const Program &program_;
  const Locations locations_;
  std::vector<File> files_;
  std::vector<Row> reads_, others_, notes_;
  std::map<FunctionId, std::size_t> statementsOf_, keptOf_;
  std::size_t statements_ = 0, kept_ = 0, announced_ = 0, used_ = 0;
};

} // namespace

std::string html(const Analysis &analysis, const Units &units) {
  return Page(analysis, units).text();
}

} // namespace forerun::slicer
