// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"
#include "EmitTesting.h"
#include "emit/Emit.h"
#include "report/Summary.h"

namespace forerun::slicer::testing {

namespace {

Overrides overridesIn(const Units &units) {
  auto found = findOverrides(units);
  EXPECT_TRUE(found.has_value()) << "a pragma is misplaced";
  return found.value_or(Overrides());
}

} // namespace

std::string mainWith(const std::string &body) {
  return "int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n" + body +
         "  MPI_Finalize();\n  return 0;\n}\n";
}

std::string programWith(const std::string &body, const std::string &before) {
  return kHead + before + mainWith("  " + std::string(kOpen) + "\n" + body);
}

SlicedProgram::SlicedProgram(const Files &files) : SlicedProgram(files, Settings()) {}

SlicedProgram::SlicedProgram(const Files &files, Settings settings)
    : units_(parsed(files)),
      analysis_(units_, settings.models, overridesIn(units_), settings.limits) {
  analysis_.take(std::move(settings.options));
}

std::vector<std::string> SlicedProgram::notes() const {
  std::vector<std::string> result;
  for (const Note &each : analysis_.notes())
    result.push_back(each.text);
  return result;
}

const CallPlan *SlicedProgram::planOf(const std::string &function, int number) const {
  return slice().planOf(callOf(units_, function, number));
}

std::string SlicedProgram::text() const {
  std::vector<EmitProblem> problems;
  auto texts = emitUnits(units_, slice(), problems);
  for (const EmitProblem &problem : problems)
    ADD_FAILURE() << problem.message;
  return texts.at(0);
}

std::map<unsigned, MarkedLine> markedLines(const Analysis &analysis, const Units &units) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  printMarked(analysis, units, stream);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(out).rtrim('\n').split(lines, '\n');
  std::map<unsigned, MarkedLine> result;
  for (unsigned number = 1; const llvm::StringRef line : lines)
    result[number++] = {line.empty() ? ' ' : line.front(), line.str()};
  return result;
}

std::vector<std::string> marked(const std::string &text, Closure::Options options) {
  const SlicedProgram program({{"a.c", kHead + text}}, {.options = std::move(options)});
  std::vector<std::string> result;
  for (const auto &[number, line] : markedLines(program.analysis(), program.units()))
    if (number > kHeadLines)
      result.push_back(line.text);
  return result;
}

void expectSlice(const std::string &text, Closure::Options options) {
  const std::string whole = kHead + text;
  const SlicedProgram program({{"a.c", whole}}, {.options = std::move(options)});
  auto marks = marksIn(whole);
  for (const auto &[number, line] : markedLines(program.analysis(), program.units())) {
    if (number <= kHeadLines)
      continue;
    EXPECT_EQ(line.sign == '>', marks[number] == "in") << line.text;
  }
}

void expectInMain(const std::string &body, const std::string &before) {
  expectSlice(before + mainWith("  " + std::string(kOpen) + " // in\n" + body));
}

} // namespace forerun::slicer::testing
