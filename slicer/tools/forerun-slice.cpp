// SPDX-License-Identifier: Apache-2.0
#include "Analysis.h"
#include "Front.h"
#include "Summary.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>

using namespace forerun::slicer;
namespace cl = llvm::cl;

static cl::list<std::string> sources(cl::Positional, cl::desc("a.c b.c ..."));
static cl::opt<std::string> database("p", cl::desc("compile_commands.json: all its C files, or those named"));
static cl::opt<bool> strict("strict", cl::desc("No early exit is left out"));
static cl::opt<bool> mark("mark", cl::desc("Print the sources with the slice marked"));

int main(int argc, char **argv) {
  std::vector<std::string> flags{"mpicc"};
  int own = argc;
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--") {
      own = i;
      flags.insert(flags.end(), argv + i + 1, argv + argc);
      break;
    }
  cl::ParseCommandLineOptions(own, argv, "");
  Commands commands;
  for (const std::string &each : sources)
    commands.push_back(commandFor(each, flags));
  const auto units = parse(commands);
  if (!units)
    return 1;
  const Analysis analysis(*units, Models::builtIn(), {strict});
  if (mark)
    printMarked(analysis, *units, llvm::outs());
  printSummary(summary(analysis, *units), llvm::errs());
  return 0;
}
