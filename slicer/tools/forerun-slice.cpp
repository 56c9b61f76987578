// SPDX-License-Identifier: Apache-2.0
// The pre-compiler's command: parse, analyse, write.
#include "emit/Emit.h"
#include "input/Front.h"
#include "report/Explain.h"
#include "report/Html.h"
#include "report/Summary.h"
#include "slice/Analysis.h"
#include "slice/Handovers.h"

#include <clang/AST/Expr.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/WithColor.h>
#include <map>

using namespace forerun::slicer;
namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

cl::OptionCategory category("forerun-slice options");
cl::list<std::string> sources(cl::Positional, cl::desc("[a.c b.c ...] [-- compiler flags]"),
                              cl::cat(category));
cl::opt<std::string>
    database("p", cl::value_desc("compile_commands.json"), cl::cat(category),
             cl::desc("Where the flags are from; without sources: all its C files"));
cl::opt<std::string> output("o", cl::value_desc("directory"), cl::cat(category),
                            cl::desc("Write the transformed sources there, and outputs.json"));
cl::opt<bool> asJson("summary", cl::cat(category), cl::desc("Print what was found as JSON"));
cl::opt<bool> mark("mark", cl::cat(category), cl::desc("Print the sources, the slice marked by >"));
enum Relaxation : unsigned { Exits = 1, Reads = 2, Handovers = 4, AllRelaxations = 7 };
cl::list<Relaxation> strict("strict", cl::value_desc("relaxation,..."), cl::ValueOptional,
                            cl::CommaSeparated, cl::cat(category),
                            cl::desc("Do without these relaxations, or without any"),
                            cl::values(clEnumValN(AllRelaxations, "", "all of these"),
                                       clEnumValN(Exits, "exits", "early exits are left out"),
                                       clEnumValN(Reads, "reads", "no read is short"),
                                       clEnumValN(Handovers, "handovers",
                                                  "values come from where files are opened")));
cl::opt<std::string> explained("explain", cl::value_desc("file.c:line"), cl::cat(category),
                               cl::desc("Say why this statement is in the slice, or is not"));
cl::opt<std::string> report("html", cl::value_desc("file.html"), cl::cat(category),
                            cl::desc("Write the sources there, the slice and its calls marked"));
cl::opt<unsigned> budget("budget", cl::value_desc("seconds"), cl::init(60), cl::cat(category),
                         cl::desc("Time for the analysis, before it gets coarser or gives up"));
cl::list<std::string> models("models", cl::value_desc("file"), cl::cat(category),
                             cl::desc("Models of functions of your libraries"));

bool fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "forerun-slice") << message << '\n';
  return false;
}

std::string absolute(llvm::StringRef file) {
  llvm::SmallString<256> result(file);
  if (fs::make_absolute(result))
    return file.str(); // there is no current directory
  path::remove_dots(result, true);
  return result.str().str();
}

/// The sources with their flags; empty after an error message.
Commands commands(const std::vector<std::string> &flags) {
  Commands result;
  if (database.empty()) {
    llvm::SmallString<256> directory;
    if (const auto why = fs::current_path(directory)) {
      fail(why.message());
      return {};
    }
    for (const std::string &each : sources) {
      if (!fs::exists(each)) {
        fail(llvm::Twine(each) + ": there is no such file");
        return {};
      }
      result.push_back(commandFor(each, flags, directory.str().str()));
    }
    if (result.empty())
      fail("no source is named; see --help");
    return result;
  }
  std::string file = database;
  if (fs::is_directory(file))
    file += "/compile_commands.json";
  auto all = readDatabase(file);
  if (!all) {
    fail(llvm::toString(all.takeError()));
    return {};
  }
  if (sources.empty())
    return *all;
  for (const std::string &each : sources) {
    const auto found = std::find_if(all->begin(), all->end(), [&](const auto &command) {
      return command.Filename == each || absolute(command.Filename) == absolute(each);
    });
    if (found == all->end()) {
      fail(llvm::Twine(file) + " says nothing of " + each);
      return {};
    }
    result.push_back(*found);
  }
  return result;
}

bool doesWithout(Relaxation relaxation) {
  return llvm::any_of(strict, [&](Relaxation each) { return (each & relaxation) != 0; });
}

void warn(const llvm::Twine &message) {
  llvm::WithColor::warning(llvm::errs(), "forerun-slice") << message << '\n';
}

/// With what the main thread can hand over where it opens files, if that makes the slice smaller.
std::unique_ptr<Analysis> smallerOf(std::unique_ptr<Analysis> found, const Units &units,
                                    const Models &known, const Overrides &overrides,
                                    Analysis::Limits limits, const Closure::Options &options,
                                    std::vector<std::string> &texts) {
  if (doesWithout(Handovers))
    return found;
  auto smaller = handingOver(*found, units, known, overrides, limits, options);
  if (!smaller)
    return found;
  std::vector<EmitProblem> problems;
  auto itsTexts = emitUnits(units, smaller->slice(), problems);
  if (!problems.empty())
    return found;
  texts = std::move(itsTexts);
  return smaller;
}

/// Slices and emits; calls for which no text can be written are left out, and all is done again.
std::unique_ptr<Analysis> sliced(const Units &units, const Models &known,
                                 const Overrides &overrides, Analysis::Limits limits,
                                 std::vector<std::string> &texts) {
  Closure::Options options;
  options.followExits = doesWithout(Exits);
  options.allowShortReads = doesWithout(Reads);
  auto analysis = std::make_unique<Analysis>(units, known, overrides, limits);
  while (true) {
    analysis->take(options);
    std::vector<EmitProblem> problems;
    texts = analysis->slice().main ? emitUnits(units, analysis->slice(), problems)
                                   : std::vector<std::string>();
    if (problems.empty())
      return smallerOf(std::move(analysis), units, known, overrides, limits, options, texts);
    bool canGoOn = false;
    for (const EmitProblem &each : problems) {
      if (each.wantsSite && options.forced.insert(each.call).second) {
        canGoOn = true;
        continue;
      }
      const auto &manager = each.unit->ast->getSourceManager();
      const auto place = manager.getPresumedLoc(manager.getExpansionLoc(each.where));
      if (place.isValid())
        llvm::errs() << place.getFilename() << ':' << place.getLine() << ':' << place.getColumn()
                     << ": ";
      const bool canLeaveOut = each.call && !each.wantsSite;
      llvm::errs() << (canLeaveOut ? "warning: " : "error: ") << each.message
                   << (canLeaveOut ? "; the call is left out of pre-execution" : "") << '\n';
      canGoOn |= canLeaveOut && options.leftOut.insert(each.call).second;
    }
    if (!canGoOn)
      return nullptr;
  }
}

/// As exactly as half of the budget allows, else more coarsely in a quarter, else in another
/// quarter without what does not lead to MPI-IO, else not at all. No texts: there is nothing to
/// change. Null after an error message.
std::unique_ptr<Analysis> analyse(const Units &units, const Models &known,
                                  const Overrides &overrides, std::vector<std::string> &texts) {
  using Functions = Analysis::Functions;
  using Fields = PointsTo::Fields;
  const std::string seconds = std::to_string(unsigned(budget)) + " s";
  const std::chrono::milliseconds all = std::chrono::seconds(budget), half = all / 2,
                                  quarter = all / 4;
  const auto within = [&](std::chrono::milliseconds time, Fields fields, Functions functions) {
    return sliced(units, known, overrides, {fields, Deadline(time), functions}, texts);
  };
  auto analysis = within(half, Fields::ToldApart, Functions::All);
  if (analysis && !analysis->isComplete()) {
    warn("the analysis takes more than half of its " + seconds +
         ": it goes on without telling members of structures apart (see --budget)");
    analysis = within(quarter, Fields::AsOne, Functions::All);
  }
  if (analysis && !analysis->isComplete()) {
    warn("the analysis takes more than three quarters of its " + seconds +
         ": it goes on with the functions that lead to MPI-IO alone; what others give is "
         "forwarded (see --budget)");
    analysis = within(quarter, Fields::AsOne, Functions::OfFrame);
  }
  if (!analysis)
    return nullptr;
  const Slice &slice = analysis->slice();
  if (!analysis->isComplete())
    warn("the analysis takes more than " + seconds +
         ": the program is left as it is, without pre-execution (see --budget)");
  else if (slice.main && slice.inits.empty() && !slice.launch) {
    warn("no call of MPI_Init is among the sources, where pre-execution would start: the program "
         "is left as it is");
    texts.clear();
  }
  return analysis;
}

bool write(const Units &units, const std::vector<std::string> &texts) {
  std::map<std::string, unsigned> names;
  for (const Unit &unit : units)
    ++names[path::filename(unit.path).str()];
  std::vector<Output> outputs;
  llvm::json::Object map;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string name = path::filename(units[i].path).str();
    if (names[name] > 1)
      name.insert(0, std::to_string(i) + "-");
    llvm::SmallString<256> target(output);
    path::append(target, name);
    map[units[i].path] = absolute(target);
    outputs.push_back({name, texts[i]});
  }
  std::string json;
  llvm::raw_string_ostream(json) << llvm::json::Value(std::move(map)) << '\n';
  outputs.push_back({"outputs.json", json});
  if (auto error = writeOutputs(output, outputs))
    return fail(llvm::toString(std::move(error)));
  return true;
}

bool writeReport(const Analysis &analysis, const Units &units) {
  const std::string file = absolute(report);
  if (auto error = writeOutputs(path::parent_path(file).str(),
                                {{path::filename(file).str(), html(analysis, units)}}))
    return fail(llvm::toString(std::move(error)));
  return true;
}

bool explainLine(const Analysis &analysis, const Units &units) {
  const auto [file, line] = llvm::StringRef(explained).rsplit(':');
  unsigned number = 0;
  if (line.getAsInteger(10, number))
    return fail(llvm::Twine("--explain needs file.c:line, not '") + explained + "'");
  return explain(analysis, units, file, number, llvm::outs()) ||
         fail(llvm::Twine("there is no statement at ") + explained);
}

int run(const std::vector<std::string> &flags) {
  const Commands all = commands(flags);
  if (all.empty())
    return 1;
  Models known = Models::builtIn();
  for (const std::string &file : models)
    if (const auto errors = known.addFile(file); !errors.empty())
      return fail(errors.front()), 1;
  const auto units = parse(all);
  const auto overrides = units ? findOverrides(*units) : std::nullopt;
  if (!overrides)
    return 1;
  std::vector<std::string> texts;
  const auto analysis = analyse(*units, known, *overrides, texts);
  if (!analysis)
    return 1;
  if (!output.empty() && !write(*units, texts))
    return 1;
  if (!report.empty() && !writeReport(*analysis, *units))
    return 1;
  if (!explained.empty())
    return explainLine(*analysis, *units) ? 0 : 1;
  if (mark)
    printMarked(*analysis, *units, llvm::outs());
  else if (asJson)
    llvm::outs() << llvm::json::Value(summary(*analysis, *units)) << '\n';
  else
    printSummary(summary(*analysis, *units), llvm::outs());
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> flags{"mpicc"};
  int own = argc;
  for (int i = 1; i < argc && own == argc; ++i)
    if (llvm::StringRef(argv[i]) == "--") {
      own = i;
      flags.insert(flags.end(), argv + i + 1, argv + argc);
    }
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(own, argv,
                              "Writes a C MPI program's own prefetching: slices it on its MPI-IO "
                              "calls into a pre-execution thread.\n");
  return run(flags);
}
