// SPDX-License-Identifier: Apache-2.0
#include "driver/Driver.h"

#include "emit/Emit.h"
#include "input/StmtKinds.h"
#include "input/Traversal.h"
#include "report/Announced.h"
#include "slice/forwarding/Forwarding.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Twine.h>
#include <llvm/Support/WithColor.h>
#include <set>
#include <string>

namespace forerun::slicer {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;

/// One attempt at the analysis; the next one is coarser.
struct Attempt {
  unsigned quarters; ///< of the budget
  PointsTo::Fields fields;
  Analysis::Functions functions;
};

constexpr Attempt kAttempts[] = {
    {2, PointsTo::Fields::ToldApart, Analysis::Functions::All},
    {1, PointsTo::Fields::AsOne, Analysis::Functions::All},
    {1, PointsTo::Fields::AsOne, Analysis::Functions::OfFrame},
};

/// The warning after this many attempts have taken too long.
std::string tooLong(std::size_t attempts, const std::string &budget) {
  switch (attempts) {
  case 1:
    return "more than half of its " + budget +
           ": it goes on without telling members of structures apart";
  case 2:
    return "more than three quarters of its " + budget +
           ": it goes on with only the functions that lead to reads; what others compute is "
           "forwarded";
  default:
    return "more than " + budget + ": the program is left as it is, without pre-execution";
  }
}

/// The statements, with declarations, that begin in the line.
class StatementsAt : public Traversal {
public:
  StatementsAt(const SourcePlace &line, const clang::SourceManager &sources)
      : line_(line), sources_(sources) {}

  std::vector<const clang::Stmt *> found;

private:
  bool enterStmt(clang::Stmt &node) override {
    for (const clang::Stmt *each : statementsIn(&node))
      if (each && !llvm::isa<clang::CompoundStmt, clang::SwitchCase, clang::LabelStmt>(each) &&
          isThere(*each))
        found.push_back(each);
    return true;
  }

  bool isThere(const clang::Stmt &stmt) const {
    const auto place = sources_.getPresumedLoc(sources_.getExpansionLoc(stmt.getBeginLoc()));
    return place.isValid() && place.getLine() == line_.line && place.getFilename() == line_.file;
  }

  const SourcePlace &line_;
  const clang::SourceManager &sources_;
};

std::vector<const clang::Stmt *> statementsAt(const SourcePlace &line, const Units &units) {
  std::vector<const clang::Stmt *> result;
  for (const Unit &unit : units) {
    StatementsAt here(line, unit.ast->getSourceManager());
    here.traverse(unit.ast->getASTContext());
    result.insert(result.end(), here.found.begin(), here.found.end());
  }
  return result;
}

class Driver {
public:
  Driver(const Units &units, const Models &models, const Overrides &overrides,
         const DriverOptions &options, llvm::raw_ostream &messages)
      : units_(units), models_(models), overrides_(overrides), options_(options),
        messages_(messages) {}

  Sliced run() {
    Sliced result;
    std::size_t tried = 0;
    for (const Attempt &each : kAttempts) {
      result = attempt(each);
      ++tried;
      if (limits_.budget.isLate()) {
        leaveAsItIs(result);
        return result;
      }
      if (result.analysis->isComplete())
        break;
      warn("the analysis takes " + tooLong(tried, budget()) + " (see --budget)");
    }
    if (result.analysis->isComplete() && !isGivenUp_ && isStarted(result))
      tellIfNothingIsAnnounced(result);
    return result;
  }

private:
  Sliced attempt(const Attempt &what) {
    const std::uint64_t steps = kMillion * options_.budget / 4 * what.quarters;
    limits_ = {what.fields, options_.give(steps), what.functions};
    Closure::Options closure;
    closure.followExits = options_.followExits;
    closure.allowShortReads = options_.allowShortReads;
    closure.askClocks = options_.predict;
    Sliced result{std::make_unique<Analysis>(units_, models_, overrides_, limits_), {}, {}};
    leaveOutLines(result.analysis->program(), closure);
    for (const auto &[lines, times] : {std::pair(&options_.dropped, 1), {&options_.ended, 2}})
      for (const SourcePlace &each : *lines)
        for (const clang::Stmt *stmt : statementsAt(each, units_))
          closure.unwritten[stmt] = times;
    while (true) {
      result.analysis->take(closure);
      std::vector<EmitProblem> problems;
      if (result.analysis->slice().main)
        result.texts = emitUnits(units_, result.analysis->slice(), problems, &result.written);
      if (problems.empty())
        break;
      result.texts.clear();
      isGivenUp_ = !canDoWithout(problems, result.analysis->program(), closure);
      if (isGivenUp_)
        return result;
    }
    if (options_.predict) // what steers loops, and what decides on exits that are left out
      for (const auto search : {steering, cutExits})
        if (auto other = search(*result.analysis, closure))
          takeInstead(result, closure, std::move(*other));
    takeSmaller(result, closure);
    return result;
  }

  void leaveOutLines(const Program &program, Closure::Options &closure) const {
    if (options_.leftOut.empty())
      return;
    const Locations locations(program, units_);
    for (const Call &call : program.calls)
      if (call.expr) {
        const SourcePlace at = locations.of(call.expr, call.caller);
        if (llvm::any_of(options_.leftOut, [&](const SourcePlace &each) {
              return each.file == at.file && each.line == at.line;
            })) {
          closure.leftOut.insert(call.expr);
          closure.unwanted.insert(call.expr);
        }
      }
  }

  /// Reports the problems. True if there will be fewer: `closure` then leaves out the calls,
  /// statements and functions for which no text can be written, or takes in calls that a macro makes
  /// together with others.
  bool canDoWithout(const std::vector<EmitProblem> &problems, const Program &program,
                    Closure::Options &closure) {
    bool result = false;
    for (const EmitProblem &each : problems) {
      if (each.wanted && closure.forced.insert(each.wanted).second) {
        result = true;
        continue;
      }
      const char *what = leftOut(each, program, closure);
      tell(each, what ? what : "the program is left as it is, without pre-execution");
      result |= what != nullptr;
    }
    return result;
  }

  /// What `closure` now leaves out because of the problem; null if there is nothing more.
  const char *leftOut(const EmitProblem &problem, const Program &program,
                      Closure::Options &closure) const {
    if (problem.call && closure.leftOut.insert(problem.call).second)
      return "the call is left out of pre-execution";
    if (!problem.call && problem.statement && closure.unwritten[problem.statement] < 2) {
      ++closure.unwritten[problem.statement];
      return "the statement is left out of pre-execution";
    }
    bool isNew = false; // pre-execution ends where the function is called
    for (const Call &each : program.calls)
      if (const auto *callee = each.expr ? each.expr->getDirectCallee() : nullptr;
          callee && problem.function && !problem.function->isMain() &&
          callee->getCanonicalDecl() == problem.function->getCanonicalDecl())
        isNew |= closure.leftOut.insert(each.expr).second;
    return isNew ? "the function is left out of pre-execution" : nullptr;
  }

  void tell(const EmitProblem &problem, const std::string &what) {
    const auto &sources = problem.unit->ast->getSourceManager();
    const auto place = sources.getPresumedLoc(sources.getExpansionLoc(problem.where));
    std::string text;
    if (place.isValid())
      text = std::string(place.getFilename()) + ':' + std::to_string(place.getLine()) + ':' +
             std::to_string(place.getColumn()) + ": ";
    text += "warning: " + problem.message + "; " + what + '\n';
    if (told_.insert(text).second) // several calls may be at one place, in a macro
      messages_ << text;
  }

  /// The slice with other options, if it can be written.
  void takeInstead(Sliced &result, Closure::Options &closure, Closure::Options other) const {
    result.analysis->take(other);
    if (write(*result.analysis, result))
      closure = std::move(other);
    else
      result.analysis->take(closure);
  }

  /// Hands over values where files are opened, if that makes the slice smaller.
  void takeSmaller(Sliced &result, const Closure::Options &closure) const {
    if (!options_.handOver)
      return;
    auto smaller = handingOver(*result.analysis, units_, models_, overrides_, limits_, closure);
    if (smaller && write(*smaller, result))
      result.analysis = std::move(smaller);
  }

  /// Replaces the texts by those of this slice, if it can be written.
  bool write(const Analysis &analysis, Sliced &result) const {
    std::vector<EmitProblem> problems;
    std::vector<Written> written;
    auto texts = emitUnits(units_, analysis.slice(), problems, &written);
    if (!analysis.isComplete() || !problems.empty())
      return false;
    result.texts = std::move(texts);
    result.written = std::move(written);
    return true;
  }

  /// Without MPI_Init there is no place where pre-execution could start.
  bool isStarted(Sliced &result) {
    const Slice &slice = result.analysis->slice();
    if (!slice.main || !slice.inits.empty() || slice.launch)
      return true;
    warn("no call of MPI_Init is among the sources, where pre-execution would start: the program "
         "is left as it is");
    result.texts.clear();
    return false;
  }

  void tellIfNothingIsAnnounced(const Sliced &result) {
    if (const auto why = whyNothingIsAnnounced(*result.analysis, units_))
      warn("no read of the program is prefetched: " + *why);
  }

  /// What a slower or faster machine would have found in that time is another slice, or none.
  void leaveAsItIs(Sliced &result) {
    warn("the analysis takes more than " + std::to_string(Budget::kLastResort.count()) +
         " minutes of CPU time: the program is left as it is, without pre-execution");
    result.texts.clear();
  }

  std::string budget() const { return std::to_string(options_.budget) + " million steps"; }

  void warn(const llvm::Twine &message) {
    llvm::WithColor::warning(messages_, "forerun-slice") << message << '\n';
  }

  const Units &units_;
  const Models &models_;
  const Overrides &overrides_;
  const DriverOptions &options_;
  llvm::raw_ostream &messages_;
  std::set<std::string> told_;
  bool isGivenUp_ = false;  ///< something cannot be written, and nothing can be left out for it
  Analysis::Limits limits_; ///< of the attempt that is being made
};

} // namespace

Sliced sliceProgram(const Units &units, const Models &models, const Overrides &overrides,
                    const DriverOptions &options, llvm::raw_ostream &messages) {
  return Driver(units, models, overrides, options, messages).run();
}

} // namespace forerun::slicer
