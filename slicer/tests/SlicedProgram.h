// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ParseText.h"
#include "slice/Analysis.h"

#include <gmock/gmock.h>

/// \file
/// The analysis as a whole: a program in a string, its slice, and what is written of it.

namespace forerun::slicer::testing {

/// What programs of tests begin with. `get` is the read that a slice is made for.
inline constexpr const char *kHead =
    "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <stdarg.h>\n"
    "static MPI_File fh; static double buf[64];\n"
    "static void get(long at) {\n"
    "  MPI_File_read_at(fh, at, buf, 64, MPI_DOUBLE, MPI_STATUS_IGNORE);\n"
    "}\n"
    "static void use(double x) { printf(\"%f\", x); }\n"
    "static double sumOf(void) {\n  double s = 0;\n"
    "  for (int i = 0; i < 64; i++) s += buf[i];\n  return s;\n}\n";
inline const auto kHeadLines = unsigned(llvm::StringRef(kHead).count('\n'));

/// Opens the file of the head.
inline constexpr const char *kOpen =
    "MPI_File_open(MPI_COMM_WORLD, \"f\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);";

/// The function main with this body between MPI_Init and MPI_Finalize.
std::string mainWith(const std::string &body);
/// The head, what comes before main, and a main that opens the file and then does this.
std::string programWith(const std::string &body, const std::string &before = "");

class SlicedProgram {
public:
  struct Settings {
    const Models &models = Models::builtIn();
    Analysis::Limits limits = {};
    Closure::Options options = {};
  };

  explicit SlicedProgram(const Files &files);
  SlicedProgram(const Files &files, Settings settings);
  /// Of one file, a.c.
  explicit SlicedProgram(const std::string &text) : SlicedProgram(Files{{"a.c", text}}) {}

  const Units &units() const { return units_; }
  const Analysis &analysis() const { return analysis_; }
  const Slice &slice() const { return analysis_.slice(); }
  std::vector<std::string> notes() const;
  /// The plan of the call of `function` with this number in source order; nullptr if it has none.
  const CallPlan *planOf(const std::string &function, int number = 0) const;
  /// The text of the first unit with its pre-execution code.
  std::string text() const;

private:
  Units units_;
  Analysis analysis_;
};

/// What printMarked says of a.c, by the number of the line: its sign, and its text.
struct MarkedLine {
  char sign; ///< '>' for what is in the slice, '~' for what is spared
  std::string text;
};
std::map<unsigned, MarkedLine> markedLines(const Analysis &analysis, const Units &units);

/// The same, as printed, for the lines after the head in a program that begins with it.
std::vector<std::string> marked(const std::string &text, Closure::Options options = {});
/// Of these lines, those that are marked `// in` are in the slice.
void expectSlice(const std::string &text, Closure::Options options = {});
/// The same for the body of main, between MPI_File_open and MPI_Finalize.
void expectInMain(const std::string &body, const std::string &before = "");

} // namespace forerun::slicer::testing
