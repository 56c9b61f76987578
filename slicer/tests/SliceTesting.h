// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_TESTS_SLICETESTING_H
#define FORERUN_SLICER_TESTS_SLICETESTING_H

#include "ParseText.h"
#include "report/Summary.h"
#include "slice/Analysis.h"

#include <gmock/gmock.h>
#include <llvm/ADT/StringExtras.h>

/// \file
/// The analysis as a whole: programs whose lines say `// in` where the slice has a statement.

namespace forerun::slicer::testing {

inline constexpr const char *kHead =
    "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <stdarg.h>\n"
    "static MPI_File fh; static double buf[64];\n"
    "static void get(long at) {\n"
    "  MPI_File_read_at(fh, at, buf, 8, MPI_DOUBLE, MPI_STATUS_IGNORE);\n"
    "}\n"
    "static void use(double x) { printf(\"%f\", x); }\n";

inline Units parsed(const Files &files) {
  auto units = parseText(files);
  EXPECT_TRUE(units.has_value());
  return units ? std::move(*units) : Units();
}

/// What printMarked says, for the lines after the head.
inline std::vector<std::string> marked(const std::string &text, Closure::Options options = {}) {
  const Units units = parsed({{"a.c", kHead + text}});
  Analysis analysis(units, Models::builtIn());
  analysis.take(std::move(options));
  std::string out;
  llvm::raw_string_ostream stream(out);
  printMarked(analysis, units, stream);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(stream.str()).split(lines, '\n');
  std::vector<std::string> result;
  for (std::size_t i = std::size_t(llvm::StringRef(kHead).count('\n')); i < lines.size(); ++i)
    result.push_back(lines[i].str());
  return result;
}

inline void expectSlice(const std::string &text, Closure::Options options = {}) {
  for (const std::string &line : marked(text, std::move(options)))
    EXPECT_EQ(llvm::StringRef(line).starts_with(">"), llvm::StringRef(line).contains("// in"))
        << line;
}

/// The same for the body of main, between MPI_Init and MPI_Finalize.
inline void expectInMain(const std::string &body, const std::string &before = "") {
  expectSlice(
      before +
      "int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n"
      "  MPI_File_open(MPI_COMM_WORLD, \"f\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); // in\n" +
      body + "  MPI_Finalize();\n  return 0;\n}\n");
}

} // namespace forerun::slicer::testing

#endif
