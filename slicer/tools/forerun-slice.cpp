// SPDX-License-Identifier: Apache-2.0
// The pre-compiler's command: its options, and which of its outputs they ask for.
#include "driver/Driver.h"
#include "driver/Outputs.h"
#include "driver/Sources.h"
#include "input/CompileErrors.h"
#include "input/MpiHeader.h"
#include "input/UsersCompiler.h"
#include "report/Explain.h"
#include "report/Html.h"
#include "report/Locations.h"
#include "report/Summary.h"

#include <csignal>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/WithColor.h>

using namespace forerun::slicer;
namespace cl = llvm::cl;
namespace path = llvm::sys::path;

namespace {

cl::OptionCategory category("forerun-slice options");
cl::list<std::string> sources(cl::Positional, cl::desc("[a.c b.c ...] [-- compiler flags]"),
                              cl::cat(category));
cl::opt<std::string>
    database("p", cl::value_desc("compile_commands.json"), cl::cat(category),
             cl::desc("Take the flags from there; without sources: all its C files"));
cl::opt<std::string> output("o", cl::value_desc("directory"), cl::cat(category),
                            cl::desc("Write the transformed sources there, and outputs.json"));
cl::opt<bool> asJson("summary", cl::cat(category), cl::desc("Print what was found as JSON"));
cl::opt<bool> mark("mark", cl::cat(category), cl::desc("Print the sources, the slice marked by >"));
enum Relaxation : unsigned {
  Exits = 1,
  Reads = 2,
  Handovers = 4,
  Predictions = 8,
  AllRelaxations = 15
};
cl::list<Relaxation> strict(
    "strict", cl::value_desc("relaxation,..."), cl::ValueOptional, cl::CommaSeparated,
    cl::cat(category), cl::desc("Turn these relaxations off; without a value, all"),
    cl::values(clEnumValN(AllRelaxations, "", "all of these"),
               clEnumValN(Exits, "exits", "early exits that cost much are left out"),
               clEnumValN(Reads, "reads", "no read is short"),
               clEnumValN(Handovers, "handovers", "values are forwarded where files are opened"),
               clEnumValN(Predictions, "predictions",
                          "what steers a loop is forwarded, and predicted")));
cl::opt<std::string> explained("explain", cl::value_desc("file.c:line"), cl::cat(category),
                               cl::desc("Say why this statement is in the slice, or is not"));
cl::opt<std::string>
    report("html", cl::value_desc("file.html"), cl::cat(category),
           cl::desc("Write a page there: the sources, with the slice and its calls marked"));
cl::opt<unsigned> budget("budget", cl::value_desc("millions"), cl::init(kBudget), cl::cat(category),
                         cl::desc("Steps of the analysis, in millions; beyond them it gets "
                                  "coarser, and then gives up"));
cl::list<std::string> models("models", cl::value_desc("file"), cl::cat(category),
                             cl::desc("Models of functions of your libraries"));

cl::list<std::string>
    leftOut("leave-out", cl::value_desc("file.c:line or file.c:function"), cl::cat(category),
            cl::desc("Leave out the calls of that line, or take the function for an unknown one"));

cl::list<std::string>
    dropped("drop", cl::value_desc("file.c:line"), cl::cat(category), cl::Hidden,
            cl::desc("Leave out the statements of that line, which the compiler refuses"));
cl::list<std::string>
    ended("end", cl::value_desc("file.c:line"), cl::cat(category), cl::Hidden,
          cl::desc("End pre-execution in that line, whose statements the compiler refuses"));

bool fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "forerun-slice") << message << '\n';
  return false;
}

bool fail(llvm::Error why) { return fail(llvm::toString(std::move(why))); }

/// The exit status where the command line means nothing, as of all tools.
constexpr int kMisused = 2;

bool doesWithout(Relaxation relaxation) {
  return llvm::any_of(strict, [&](Relaxation each) { return (each & relaxation) != 0; });
}

/// The first option that does not exist, as it is written. LLVM takes all that begins with h for
/// --help.
std::optional<std::string> unknownOption(int argc, char **argv) {
  const auto &known = cl::getRegisteredOptions();
  for (int i = 1; i < argc; ++i) {
    const llvm::StringRef word(argv[i]);
    const llvm::StringRef name = word.ltrim('-').split('=').first;
    if (word.starts_with("-h") || word.starts_with("--h"))
      if (name != "h" && known.count(name) == 0)
        return word.split('=').first.str();
  }
  return std::nullopt;
}

/// The line of --explain=file.c:line; 0: it names none.
unsigned explainedLine() {
  unsigned number = 0;
  return llvm::StringRef(explained).rsplit(':').second.getAsInteger(10, number) ? 0 : number;
}

/// What no source can give a meaning to.
bool isMisused() {
  if (sources.empty() && database.empty())
    return !fail("no source is named; see --help");
  if (!explained.empty() && explainedLine() == 0)
    return !fail(llvm::Twine("--explain needs file.c:line, not '") + explained + "'");
  return false;
}

/// Something to be left out does not exist. In the build of several programs (forerun-cc), all get the
/// same options: it may be in another one.
bool findsNothing(const llvm::Twine &option, const llvm::Twine &why) {
  if (output.empty())
    return fail("--leave-out=" + option + ": " + why);
  llvm::WithColor::warning(llvm::errs(), "forerun-slice")
      << "--leave-out=" << option << ": " << why << '\n';
  return true;
}

/// Removes the body of a function to be left out; false if there is none of that name.
bool leaveOutFunctionOf(llvm::StringRef file, llvm::StringRef name, const Units &units) {
  bool isFound = false;
  for (const Unit &unit : units)
    if (unit.path == file || absolutePath(unit.path) == absolutePath(file))
      isFound |= leaveOutFunction(name, *unit.ast);
  return isFound;
}

/// Removes the bodies of the functions to be left out; their lines go to `lines`.
bool leaveOut(const Units &units, std::vector<SourcePlace> &lines) {
  for (const std::string &each : leftOut) {
    const auto [file, what] = llvm::StringRef(each).rsplit(':');
    unsigned line = 0;
    if (!what.getAsInteger(10, line))
      lines.push_back({.file = file.str(), .line = line});
    else if (!leaveOutFunctionOf(file, what, units) &&
             !findsNothing(each, "no function of that name is defined there"))
      return false;
  }
  return true;
}

/// Whether there was something to leave out in each of the lines.
bool areLeftOut(const Analysis &analysis, const Units &units,
                const std::vector<SourcePlace> &lines) {
  const Locations locations(analysis.program(), units);
  for (const SourcePlace &line : lines)
    if (llvm::none_of(analysis.program().calls,
                      [&](const Call &call) {
                        const SourcePlace at =
                            call.expr ? locations.of(call.expr, call.caller) : SourcePlace();
                        return at.file == line.file && at.line == line.line;
                      }) &&
        !findsNothing(line.file + ":" + llvm::Twine(line.line), "there is no call in that line"))
      return false;
  return true;
}

/// Lines as forerun-cc names them, which it has from us (`written` in the summary).
std::vector<SourcePlace> linesOf(const cl::list<std::string> &words) {
  std::vector<SourcePlace> result;
  for (const std::string &each : words) {
    const auto [file, number] = llvm::StringRef(each).rsplit(':');
    unsigned line = 0;
    if (!number.getAsInteger(10, line))
      result.push_back({.file = file.str(), .line = line});
  }
  return result;
}

DriverOptions driverOptions() {
  DriverOptions result;
  result.dropped = linesOf(dropped);
  result.ended = linesOf(ended);
  result.followExits = doesWithout(Exits);
  result.allowShortReads = doesWithout(Reads);
  result.handOver = !doesWithout(Handovers);
  result.predict = !doesWithout(Predictions);
  result.budget = budget;
  return result;
}

/// Writes the files, unless one of them is a source.
bool writeBeside(const Units &units, const std::string &directory,
                 const std::vector<Output> &outputs) {
  auto error = keepsSources(units, directory, outputs);
  if (!error)
    error = writeOutputs(directory, outputs);
  return !error || fail(std::move(error));
}

bool writeTexts(const Units &units, const std::vector<std::string> &texts) {
  return writeBeside(units, output, outputsOf(units, texts, output));
}

bool writeReport(const Analysis &analysis, const Units &units) {
  const std::string file = absolutePath(report);
  const std::string directory = path::parent_path(file).str();
  if (!llvm::sys::fs::is_directory(directory))
    return fail(llvm::Twine("--html=") + report + ": there is no directory " + directory);
  return writeBeside(units, directory, {{path::filename(file).str(), html(analysis, units)}});
}

bool explainLine(const Analysis &analysis, const Units &units) {
  const llvm::StringRef file = llvm::StringRef(explained).rsplit(':').first;
  const unsigned number = explainedLine();
  const unsigned nearest = explain(analysis, units, file, number, llvm::outs());
  if (nearest == 0)
    return fail(llvm::Twine("there is no statement in ") + file);
  return nearest == number || fail(llvm::Twine("no statement begins at ") + explained +
                                   "; the nearest is at line " + llvm::Twine(nearest));
}

/// Where each statement of a clone is, in the unit's output and in its source.
llvm::json::Array writtenLines(const Sliced &sliced) {
  llvm::json::Array result;
  for (const Written &each : sliced.written)
    result.push_back(llvm::json::Object{{"unit", absolutePath(each.unit->path)},
                                        {"at", each.at},
                                        {"file", each.file},
                                        {"line", each.line}});
  return result;
}

void print(const Sliced &sliced, const Units &units) {
  const Analysis &analysis = *sliced.analysis;
  if (mark) {
    printMarked(analysis, units, llvm::outs());
  } else if (asJson) {
    llvm::json::Object all = summary(analysis, units);
    if (!output.empty())
      all["written"] = writtenLines(sliced);
    llvm::outs() << llvm::json::Value(std::move(all)) << '\n';
  } else
    printSummary(summary(analysis, units), llvm::outs());
}

/// The slice is as valid for another MPI, but what is written calls Forerun's libraries, which are not.
bool suitsMpi(const Units &units) {
  const std::string found = mpiOf(units);
  if (found.empty() || found == FORERUN_MPI)
    return true;
  const std::string what = "mpi.h is that of " + found + ", and Forerun was built for " FORERUN_MPI;
  if (!output.empty())
    return fail(what + ": nothing is written");
  llvm::WithColor::warning(llvm::errs(), "forerun-slice")
      << what << ": forerun-cc leaves such a program as it is\n";
  return true;
}

bool run(const std::vector<std::string> &compiler) {
  auto commands =
      database.empty() ? sourcesWithFlags(sources, compiler) : sourcesOfDatabase(database, sources);
  if (!commands)
    return fail(commands.takeError());
  Models known = Models::builtIn();
  for (const std::string &file : models)
    if (const auto errors = known.addFile(file); !errors.empty())
      return fail(errors.front());
  // A build (forerun-cc) has compiled its sources, and asks for texts.
  const bool isOfABuild = !database.empty() && !output.empty();
  const auto units = parse(*commands, nullptr, isOfABuild ? Refusal() : isRefused);
  if (!units || !suitsMpi(*units))
    return false;
  DriverOptions options = driverOptions();
  if (!leaveOut(*units, options.leftOut))
    return false;
  const auto overrides = findOverrides(*units);
  if (!overrides)
    return false;
  const Sliced sliced = sliceProgram(*units, known, *overrides, options, llvm::errs());
  if (!areLeftOut(*sliced.analysis, *units, options.leftOut))
    return false;
  if (!output.empty() && !writeTexts(*units, sliced.texts))
    return false;
  if (!report.empty() && !writeReport(*sliced.analysis, *units))
    return false;
  if (!explained.empty())
    return explainLine(*sliced.analysis, *units);
  print(sliced, *units);
  return true;
}

/// A file that grows beyond the limit is an error of what writes it, and does not end the process.
/// (LLVM takes the signal back if it is only ignored.)
void blockFileSizeSignal() {
  sigset_t signal;
  sigemptyset(&signal);
  sigaddset(&signal, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signal, nullptr);
}

/// Whether all that was printed has arrived. LLVM would end the process otherwise.
bool isPrinted() {
  llvm::outs().flush();
  const std::error_code why = llvm::outs().error();
  llvm::outs().clear_error();
  return !why || fail("cannot write the output: " + why.message());
}

} // namespace

int main(int argc, char **argv) {
  blockFileSizeSignal();
  std::vector<std::string> compiler{"mpicc"};
  int own = argc;
  for (int i = 1; i < argc && own == argc; ++i)
    if (llvm::StringRef(argv[i]) == "--") {
      own = i;
      compiler.insert(compiler.end(), argv + i + 1, argv + argc);
    }
  if (const auto unknown = unknownOption(own, argv))
    return fail("unknown option " + *unknown + "; see --help") ? 0 : kMisused;
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &out) { out << "forerun-slice (Forerun) " FORERUN_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(
          own, argv,
          "Writes a C MPI program's own prefetching: slices it on its MPI-IO "
          "calls into a pre-execution thread.\n",
          &llvm::errs()) ||
      isMisused())
    return kMisused;
  const bool isDone = run(compiler);
  return isPrinted() && isDone ? 0 : 1;
}
