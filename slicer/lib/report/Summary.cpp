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

llvm::StringRef nameOf(CallPlan::Io io) {
  switch (io) {
  case CallPlan::Io::Open:
    return "open";
  case CallPlan::Io::ReadAt:
  case CallPlan::Io::Read:
  case CallPlan::Io::ReadOrdered:
    return "prefetched";
  case CallPlan::Io::FetchAt:
  case CallPlan::Io::Fetch:
  case CallPlan::Io::FetchOrdered:
    return "prefetched, blocking: the slice needs the data";
  case CallPlan::Io::WriteAt:
  case CallPlan::Io::Write:
    return "dirty range";
  case CallPlan::Io::Seek:
    return "seek";
  case CallPlan::Io::View:
    return "view";
  case CallPlan::Io::Close:
  case CallPlan::Io::Sync:
    return "synchronisation point";
  }
  return "";
}

/// Whether a lean clone only announces the read that the full one fetches.
bool isAnnouncedByLean(const Slice &slice, const Call &call) {
  if (!slice.leanSlice)
    return false;
  const auto plan = slice.leanSlice->plans.find(call.expr);
  return plan != slice.leanSlice->plans.end() &&
         (plan->second.io == CallPlan::Io::ReadAt || plan->second.io == CallPlan::Io::Read);
}

llvm::StringRef nameOf(const Slice &slice, const Call &call, const CallPlan &plan) {
  if (call.isIgnored && isRead(call) &&
      (plan.io == CallPlan::Io::Write || plan.io == CallPlan::Io::WriteAt))
    return "not prefetched: a pragma says so";
  switch (plan.action) {
  case CallPlan::Action::Io:
    if (!plan.isFetch())
      return nameOf(plan.io);
    if (plan.countOnly)
      return "prefetched: the slice needs its status";
    return isAnnouncedByLean(slice, call)
               ? "prefetched, blocking for some callers: these need the data"
               : nameOf(plan.io);
  case CallPlan::Action::Receive:
    return plan.isLocal            ? "known to the pre-execution thread"
           : plan.exchange.empty() ? "forwarded"
                                   : "exchanged among the pre-execution threads";
  case CallPlan::Action::Exit:
    return "pre-execution ends here";
  case CallPlan::Action::StandIn:
    return "done privately, after the main thread has";
  case CallPlan::Action::Twin:
    return plan.opensByTwin    ? "opened by the library's twin, after the main thread has"
           : plan.writesByTwin ? "dirty range"
           : call.model && call.model->announces ? "prefetched by the library's twin"
                                                 : "done by the library's twin";
  default:
    return "left out";
  }
}

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
  const auto plan = analysis.slice().plans.find(call.expr);
  const bool isPlanned = plan != analysis.slice().plans.end();
  if (!isIo && !(isPlanned && plan->second.site >= 0))
    return std::nullopt;
  if (isPlanned && !analysis.isReached(call))
    return "not reached: pre-execution ends before it";
  return isPlanned ? nameOf(analysis.slice(), call, chosen(plan->second, call.name)).str()
                   : "left out: " + analysis.whyLeftOut(call);
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
    const auto plan = analysis.slice().plans.find(call.expr);
    Json site = at(locations.of(call.expr, call.caller));
    site["call"] = call.name;
    site["site"] = plan == analysis.slice().plans.end() ? -1 : plan->second.site;
    site["fate"] = *fate;
    sites.push_back(std::move(site));
  }
  for (const Note &note : notesOf(analysis)) {
    Json each = at(locations.of(note.where, note.function));
    each["text"] = note.text;
    notes.push_back(std::move(each));
  }
  const Waits waits = analysis.closure().waits();
  return Json{{"statements", statements},
              {"kept", keptStatements(analysis)},
              {"waits", static_cast<std::int64_t>(waits.receives)},
              {"fetches", static_cast<std::int64_t>(waits.fetches)},
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
