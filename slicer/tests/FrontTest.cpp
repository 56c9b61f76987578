// SPDX-License-Identifier: Apache-2.0
#include "input/Front.h"
#include "ParseText.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

TEST(Front, EveryUnitIsParsedUnderThePathThatTheCompilerWasGiven) {
  auto parsed = parseText({{"a.c", "#include \"h.h\"\nint f(void) { return N; }\n"},
                           {"b.c", "#include <mpi.h>\nint g(void) { return MPI_SUCCESS; }\n"},
                           {"h.h", "#define N 3\n"}});
  const Units units = parsed ? std::move(*parsed) : Units();
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units.at(0).path, "a.c");
  EXPECT_EQ(units.at(0).ast->getMainFileName(), "a.c");
  EXPECT_EQ(units.at(1).path, "b.c");
}

TEST(Front, AUnitThatDoesNotCompileFailsTheWhole) {
  EXPECT_FALSE(
      parseText({{"a.c", "int f(void) { return 0; }\n"}, {"b.c", "int g(void) { return x; }\n"}}));
}

// Clang does not know them, so later stages never meet one.
TEST(Front, NestedFunctionsDoNotCompile) {
  EXPECT_FALSE(parseText({{"a.c", "int f(int n) { int g(void) { return n; } return g(); }\n"}}));
}

TEST(Front, WarningsAreLeftToTheCompilerOfTheUser) {
  ::testing::internal::CaptureStderr();
  auto units = parseText({{"a.c", "int f(void) { }\n"}});
  EXPECT_TRUE(units);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace forerun::slicer::testing
