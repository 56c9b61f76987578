// SPDX-License-Identifier: Apache-2.0
#include "report/Explain.h"

#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "report/Locations.h"
#include "report/Summary.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <llvm/Support/Path.h>

namespace forerun::slicer {

namespace {

class Explainer {
public:
  Explainer(const Analysis &analysis, const Units &units, llvm::raw_ostream &out)
      : analysis_(analysis), program_(analysis.program()), closure_(analysis.closure()),
        locations_(analysis.program(), units), out_(out) {}

  unsigned line(llvm::StringRef file, unsigned line) {
    unsigned nearest = 0;
    for (const NodeId id : ids(program_.nodes)) {
      const Node &node = program_.nodes[id];
      if (node.function <= 0 || !node.stmt || !closure_.speaksForAll(node.function))
        continue;
      const SourcePlace place = locations_.of(node);
      if (place.line == 0 || !isSameFile(place.file, file))
        continue;
      if (nearest == 0 || distance(place.line, line) < distance(nearest, line))
        nearest = place.line;
      if (place.line == line)
        statement(id);
    }
    return nearest;
  }

private:
  static unsigned distance(unsigned one, unsigned other) {
    return one < other ? other - one : one - other;
  }

  static bool isSameFile(llvm::StringRef one, llvm::StringRef other) {
    return one == other || llvm::sys::path::filename(one) == other;
  }

  void statement(NodeId id) {
    fateOfStatement(id);
    for (const Call &each : program_.calls)
      if (each.group != kNone && program_.groups[each.group].node == id &&
          (isRead(each) || isTwinRead(each)))
        if (const auto fate = fateOf(analysis_, each))
          out_ << "    " << each.name << ": " << *fate << '\n';
  }

  void fateOfStatement(NodeId id) {
    where(id);
    if (program_.nodes[id].kind == Node::Kind::HandedOver) {
      out_ << program_.nodes[id].variable->getName() << " is forwarded after this"
           << (closure_.isPresent(id) ? "\n" : ", if anything needed it\n");
      return;
    }
    if (!closure_.isPresent(id)) {
      out_ << "not in the slice: " << whyNot(id) << '\n';
      return;
    }
    const bool isWhole = closure_.isActive(program_.nodes[id].group);
    out_ << (isWhole ? "in the slice\n" : "only calls in it are in the slice\n");
    chain(id);
  }

  llvm::StringRef whyNot(NodeId id) const {
    for (const Cut &cut : closure_.cuts())
      if (cut.node == id)
        return cut.why;
    return analysis_.isSpared(id)
               ? "what depends on it is forwarded once a file is open, where the "
                 "pre-execution thread waits anyway"
               : "no call of MPI-IO depends on it";
  }

  /// Follows the reasons, each statement once.
  void chain(NodeId id) {
    std::set<NodeId> told;
    GroupId group = firstActive(id);
    while (told.insert(id).second) {
      const bool isWhole = group != kNone && closure_.isActive(group);
      const Reason *reason = isWhole ? closure_.why(group) : closure_.whyPresent(id);
      if (!reason)
        return;
      if (reason->by == kNone) {
        out_ << "    it is a call of MPI-IO, or makes one\n";
        return;
      }
      const NodeId next = program_.groups[reason->by].node;
      if (next != id) {
        out_ << "  " << textOf(reason->kind) << '\n' << "  ";
        where(next);
        out_ << locations_.lineOf(program_.nodes[next]) << '\n';
      } else {
        told.erase(id);
        if (!groups_.insert(reason->by).second)
          return;
      }
      id = next;
      group = reason->by;
    }
  }

  GroupId firstActive(NodeId id) {
    groups_.clear();
    if (closure_.isActive(program_.nodes[id].group))
      return program_.nodes[id].group;
    return kNone;
  }

  static llvm::StringRef textOf(Reason::Kind kind) {
    switch (kind) {
    case Reason::Kind::Criterion:
      return "it is a call of MPI-IO, or makes one:";
    case Reason::Kind::Data:
      return "it gives a value that is used here:";
    case Reason::Kind::Control:
      return "it decides whether this runs:";
    case Reason::Kind::Enclosing:
      return "it encloses this:";
    case Reason::Kind::Argument:
      return "it gives an argument that is needed for this:";
    case Reason::Kind::Result:
      return "its value is what this call gives:";
    case Reason::Kind::Call:
      return "what it calls is needed for this:";
    }
    return "";
  }

  void where(NodeId id) {
    const SourcePlace place = locations_.of(program_.nodes[id]);
    out_ << place.file << ':' << place.line << ':' << place.column << ": ";
  }

  const Analysis &analysis_;
  const Program &program_;
  const Closure &closure_;
  const Locations locations_;
  llvm::raw_ostream &out_;
  std::set<GroupId> groups_;
};

} // namespace

unsigned explain(const Analysis &analysis, const Units &units, llvm::StringRef file, unsigned line,
                 llvm::raw_ostream &out) {
  return Explainer(analysis, units, out).line(file, line);
}

} // namespace forerun::slicer
