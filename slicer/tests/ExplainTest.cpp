// SPDX-License-Identifier: Apache-2.0
#include "report/Explain.h"

#include "SlicedProgram.h"

/// \file
/// What `forerun-slice --explain` says of a line.

namespace forerun::slicer::testing {
namespace {

/// A program, its analysis, and what is said about its lines.
class Explain : public ::testing::Test {
protected:
  /// What is said of a line of a.c. `nearest_` is the line that `explain` returns.
  std::string at(unsigned line, const char *file = "a.c") {
    std::string out;
    llvm::raw_string_ostream stream(out);
    nearest_ = explain(program_.analysis(), program_.units(), file, line, stream);
    return stream.str();
  }
  static unsigned linesBefore(llvm::StringRef text) { return unsigned(text.count('\n')); }

  const unsigned main_ = 1 + kHeadLines; ///< the line where main begins
  unsigned nearest_ = 0;

private:
  const SlicedProgram program_{kHead + std::string("int main(int argc, char **argv) {\n"
                                                   "  MPI_Init(&argc, &argv);\n"
                                                   "  long n = argc * 2;\n  double x = n;\n"
                                                   "  get(n);\n  use(x);\n  MPI_Finalize();\n}\n")};
};

TEST_F(Explain, AChainEndsAtARead) {
  const std::string said = at(main_ + 2);
  EXPECT_EQ(nearest_, main_ + 2);
  EXPECT_THAT(said, ::testing::HasSubstr("it gives an argument"));
  EXPECT_THAT(said, ::testing::HasSubstr("call of MPI-IO"));
  EXPECT_THAT(at(main_ + 3), ::testing::HasSubstr("not in the slice"));
}

TEST_F(Explain, WhatBecomesOfAReadIsSaid) {
  const unsigned read = 1 + linesBefore(llvm::StringRef(kHead).split("MPI_File_read_at(").first);
  EXPECT_THAT(at(read), ::testing::HasSubstr("MPI_File_read_at: prefetched"));
}

TEST_F(Explain, WhereThereIsNoStatementTheNearestOneIsNamed) {
  EXPECT_EQ(at(9999), "");
  EXPECT_EQ(nearest_, main_ + 6);
  EXPECT_EQ(at(1, "b.c"), "");
  EXPECT_EQ(nearest_, 0U);
}

} // namespace
} // namespace forerun::slicer::testing
