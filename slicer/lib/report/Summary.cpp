// SPDX-License-Identifier: Apache-2.0
#include "report/Summary.h"

#include "models/Ids.h"

#include "facts/IoCalls.h"
#include "report/Locations.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

namespace {

using llvm::json::Array;
using Json = llvm::json::Object;

Json at(const SourcePlace &place) {
  return Json{{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

/// Whether a lean clone only announces the read that the full one fetches.
bool isAnnouncedByLean(const Slice &slice, const Call &call) {
  const CallPlan *plan = slice.leanSlice ? slice.leanSlice->planOf(call.expr) : nullptr;
  const auto *io = plan ? plan->as<CallPlan::Io>() : nullptr;
  return io && io->isRead();
}

/// What is said of a call of `slice`.
class Fate {
public:
  Fate(const Slice &slice, const Call &call) : slice_(slice), call_(call) {}

  llvm::StringRef operator()(const CallPlan::Io &io) const {
    using Form = CallPlan::Io::Form;
    switch (io.form) {
    case Form::Open:
      return "open";
    case Form::ReadAt:
    case Form::Read:
    case Form::ReadOrdered:
      return "prefetched";
    case Form::FetchAt:
    case Form::Fetch:
    case Form::FetchOrdered:
      return io.countOnly ? "prefetched: the slice needs its status"
             : isAnnouncedByLean(slice_, call_)
                 ? "prefetched, blocking for some callers: these need the data"
                 : "prefetched, blocking: the slice needs the data";
    case Form::WriteAt:
    case Form::Write:
      return call_.isIgnored && isRead(call_) ? "not prefetched: a pragma says so" : "dirty range";
    case Form::Seek:
      return "seek";
    case Form::View:
      return "view";
    case Form::Close:
    case Form::Sync:
      break;
    }
    return "synchronisation point";
  }
  llvm::StringRef operator()(const CallPlan::Receive &receive) const {
    return !receive.exchange           ? "forwarded"
           : receive.exchange->isLocal ? "known to the pre-execution thread"
                                       : "exchanged among the pre-execution threads";
  }
  llvm::StringRef operator()(const CallPlan::Exit &) const { return "pre-execution ends here"; }
  llvm::StringRef operator()(const CallPlan::StandIn &) const {
    return "done privately, after the main thread has";
  }
  llvm::StringRef operator()(const CallPlan::Twin &twin) const {
    return twin.opens    ? "opened by the library's twin, after the main thread has"
           : twin.writes ? "dirty range"
           : call_.model && call_.model->announces ? "prefetched by the library's twin"
                                                   : "done by the library's twin";
  }
  llvm::StringRef operator()(const CallPlan::Choose &) const { return "synchronisation point"; }
  template <class Other> llvm::StringRef operator()(const Other &) const { return "left out"; }

private:
  const Slice &slice_;
  const Call &call_;
};

/// Sites of the statements whose value or outcome is handed over.
Array handedSites(const Analysis &analysis, const Locations &locations) {
  const Program &program = analysis.program();
  Array result;
  const auto add = [&](const clang::Stmt *stmt, const clang::FunctionDecl *in, int site,
                       const std::string &what) {
    for (const FunctionId id : ids(program.functions)) {
      if (program.functions[id].definition != in || program.functions[id].copyOf != kNone)
        continue;
      Json handed = at(locations.of(stmt, id));
      handed["site"] = site;
      handed["what"] = what;
      result.push_back(std::move(handed));
    }
  };
  for (const auto &[stmt, condition] : analysis.slice().conditionsInOrder())
    add(stmt, condition.function, condition.site, "a condition");
  for (const auto &[stmt, each] : analysis.slice().handedOverInOrder())
    add(stmt, each.function, each.site, each.variable->getNameAsString());
  return result;
}

} // namespace

std::optional<std::string> fateOf(const Analysis &analysis, const Call &call) {
  if (call.isCallback || !call.expr || !call.choices.empty())
    return std::nullopt;
  const bool isIo = isTwinRead(call) || (call.model && call.model->kind == FunctionModel::Kind::Io);
  const CallPlan *plan = analysis.slice().planOf(call.expr);
  if (!isIo && !(plan && plan->site >= 0))
    return std::nullopt;
  if (!plan)
    return "left out: " + analysis.whyLeftOut(call);
  if (!analysis.isReached(call))
    return "not reached: pre-execution ends before it";
  return std::visit(Fate(analysis.slice(), call), plan->actionFor(call.name)).str();
}

std::vector<Note> notesOf(const Analysis &analysis) {
  const Program &program = analysis.program();
  std::vector<Note> result = analysis.notes();
  for (const Cut &cut : analysis.closure().cuts()) {
    const Node &node = program.nodes[cut.node];
    if (!analysis.closure().speaksForAll(node.function))
      continue;
    result.push_back(
        {Locations::partOf(node), node.function, std::string("early exit left out: ") + cut.why});
  }
  for (const UnknownStatement &each : program.unknownStatements)
    if (program.functions[each.function].copyOf == kNone)
      result.push_back({each.stmt, each.function,
                        std::string("the slicer does not know statements of the kind ") +
                            each.stmt->getStmtClassName() +
                            ": what it does is left out of pre-execution"});
  return result;
}

llvm::json::Object summary(const Analysis &analysis, const Units &units) {
  const Program &program = analysis.program();
  const Locations locations(program, units);
  const std::int64_t statements =
      std::count_if(program.nodes.begin(), program.nodes.end(), [&](const Node &node) {
        return isStatement(program, node) && program.functions[node.function].copyOf == kNone;
      });
  Array sites, notes;
  for (const Call &call : program.calls) {
    const auto fate = fateOf(analysis, call);
    if (!fate)
      continue;
    const CallPlan *plan = analysis.slice().planOf(call.expr);
    Json site = at(locations.of(call.expr, call.caller));
    site["call"] = call.name;
    site["site"] = plan ? plan->site : -1;
    site["fate"] = *fate;
    sites.push_back(std::move(site));
  }
  for (const Note &note : notesOf(analysis)) {
    Json each = at(locations.of(note.where, note.function));
    each["text"] = note.text;
    notes.push_back(std::move(each));
  }
  const Cost cost = analysis.cost();
  return Json{{"statements", statements},
              {"kept", static_cast<std::int64_t>(cost.statements)},
              {"waits", static_cast<std::int64_t>(cost.waits)},
              {"fetches", static_cast<std::int64_t>(cost.fetches)},
              {"sites", std::move(sites)},
              {"handed", handedSites(analysis, locations)},
              {"notes", std::move(notes)}};
}

void printSummary(const llvm::json::Object &summary, llvm::raw_ostream &out) {
  const auto where = [&](const Json &each) {
    out << each.getString("file").value_or("") << ':' << each.getInteger("line").value_or(0) << ':'
        << each.getInteger("column").value_or(0) << ": ";
  };
  for (const auto &each : *summary.getArray("sites")) {
    where(*each.getAsObject());
    out << each.getAsObject()->getString("call").value_or("") << ": "
        << each.getAsObject()->getString("fate").value_or("") << '\n';
  }
  for (const auto &each : *summary.getArray("notes")) {
    where(*each.getAsObject());
    out << "note: " << each.getAsObject()->getString("text").value_or("") << '\n';
  }
  out << "slice: " << summary.getInteger("kept").value_or(0) << " of "
      << summary.getInteger("statements").value_or(0) << " statements\n";
}

void printMarked(const Analysis &analysis, const Units &units, llvm::raw_ostream &out) {
  const Program &program = analysis.program();
  const Locations locations(program, units);
  for (const Unit &unit : units) {
    const clang::SourceManager &manager = unit.ast->getSourceManager();
    std::map<unsigned, char> marks;
    for (const NodeId id : ids(program.nodes)) {
      const bool isKept = analysis.closure().isPresent(id);
      if (!isStatement(program, program.nodes[id]) || !(isKept || analysis.isSpared(id)))
        continue;
      if (const SourcePlace place = locations.of(program.nodes[id]); place.file == unit.path) {
        char &mark = marks[place.line];
        mark = isKept || mark == '>' ? '>' : '~';
      }
    }
    llvm::StringRef rest = manager.getBufferData(manager.getMainFileID());
    for (unsigned line = 1; !rest.empty(); ++line) {
      const auto [text, after] = rest.split('\n');
      const auto mark = marks.find(line);
      out << (mark == marks.end() ? ' ' : mark->second) << ' ' << text << '\n';
      rest = after;
    }
  }
}

} // namespace forerun::slicer
