// SPDX-License-Identifier: Apache-2.0
#include "input/Front.h"
#include "ParseText.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Whether `function` has a body in the unit.
bool isThere(const Unit &unit, llvm::StringRef function) {
  auto &ast = unit.ast->getASTContext();
  const auto all = ast.getTranslationUnitDecl()->lookup(&ast.Idents.get(function));
  return std::any_of(all.begin(), all.end(), [](const clang::NamedDecl *each) {
    return llvm::cast<clang::FunctionDecl>(each)->hasBody();
  });
}

/// The units, and what is said on the way.
std::pair<Units, std::string> parsedWithMessages(const Files &files) {
  ::testing::internal::CaptureStderr();
  auto units = parseText(files);
  return {units ? std::move(*units) : Units(), ::testing::internal::GetCapturedStderr()};
}

TEST(Front, JumpsThatOnlyClangRefusesCostNothing) {
  const auto [units, said] =
      parsedWithMessages({{"a.c", "void end(int *);\n"
                                  "int table(int n) {\n"
                                  "  void *one[] = {&&first, &&second};\n"
                                  "  goto *one[n % 2];\n"
                                  "first:\n"
                                  "second:;\n"
                                  "  int many[n];\n"
                                  "  void *two[] = {&&third, &&fourth};\n"
                                  "  goto *two[many[0] = n % 2];\n"
                                  "third:\n"
                                  "fourth:\n"
                                  "  return many[0];\n"
                                  "}\n"
                                  "int past(int n) {\n"
                                  "  if (n > 3)\n"
                                  "    goto out;\n"
                                  "  int cleaned __attribute__((cleanup(end))) = n;\n"
                                  "out:\n"
                                  "  return n;\n"
                                  "}\n"
                                  "int cases(int n) {\n"
                                  "  switch (n) {\n"
                                  "  case 0:;\n"
                                  "    int cleaned __attribute__((cleanup(end))) = n;\n"
                                  "  case 1:;\n"
                                  "  }\n"
                                  "  return n;\n"
                                  "}\n"}});
  EXPECT_EQ(said, "");
  ASSERT_EQ(units.size(), 1U);
  for (const char *function : {"table", "past", "cases"})
    EXPECT_TRUE(isThere(units.at(0), function)) << function;
}

TEST(Front, APragmaOfTheStandardWhereOnlyClangRefusesItCostsNothing) {
  const auto [units, said] = parsedWithMessages({{"a.c", "double twice(double n) {\n"
                                                         "  n += 1;\n"
                                                         "#pragma STDC FP_CONTRACT OFF\n"
                                                         "  return 2 * n;\n"
                                                         "}\n"}});
  EXPECT_EQ(said, "");
  ASSERT_EQ(units.size(), 1U);
  EXPECT_TRUE(isThere(units.at(0), "twice"));
}

TEST(Front, AnErrorCostsTheFunctionThatHasItAndIsReportedOnce) {
  const auto [units, said] = parsedWithMessages(
      {{"a.c",
        "int f(void) { return 0; }\nint g(void) { return x; }\nint h(void) { y; return x; }\n"},
       {"b.c", "int k(void) { return 0; }\n"}});
  ASSERT_EQ(units.size(), 2U);
  EXPECT_TRUE(isThere(units.at(0), "f"));
  EXPECT_FALSE(isThere(units.at(0), "g"));
  EXPECT_FALSE(isThere(units.at(0), "h"));
  EXPECT_TRUE(isThere(units.at(1), "k"));
  EXPECT_EQ(said,
            "forerun-slice: warning: a.c:2: 'g' and 1 more are left out of pre-execution: use "
            "of undeclared identifier 'x'\n");
}

// Clang does not know them, so later stages never see one.
TEST(Front, NestedFunctionsAndComputedSizesCostTheFunctionAround) {
  const auto [units, said] = parsedWithMessages(
      {{"a.c", "int f(int n) { int g(void) { return n; } return g(); }\n"
               "int h(int n) { struct { char a[n]; int b; } s; s.b = n; return s.b; }\n"
               "int k(int n) { return f(n) + h(n); }\n"}});
  ASSERT_EQ(units.size(), 1U);
  EXPECT_FALSE(isThere(units.at(0), "f"));
  EXPECT_FALSE(isThere(units.at(0), "h"));
  EXPECT_TRUE(isThere(units.at(0), "k"));
}

// Clang reports the type, and nothing where it is used.
TEST(Front, WhatNamesSomethingSenselessIsLeftOutAsWell) {
  const auto [units, said] =
      parsedWithMessages({{"a.c", "struct s { _Decimal64 d; int n; };\nstruct s all = {1, 2};\n"
                                  "int f(void) { return (int)all.d; }\n"
                                  "int g(void) { return 3; }\n"}});
  ASSERT_EQ(units.size(), 1U);
  EXPECT_FALSE(isThere(units.at(0), "f"));
  EXPECT_TRUE(isThere(units.at(0), "g"));
}

TEST(Front, WhatGccTakesWithAWarningIsNoError) {
  const auto [units, said] = parsedWithMessages(
      {{"a.c",
        "static x;\nk(a) { return undeclared(a) + strlen(\"text\"); }\n"
        "int *g(void) { int n = 5; return n - 5; }\nvoid h(int a) { return a; }\n"
        "int m(int a) { if (a) return; return 2; }\nint c(int *a, int *b) { return *a - *b; }\n"
        "void sort(int (*)(const void *, const void *));\n"
        "int p(void) { sort(c); int *q = x; return q; }\n"
        "int u(void) { return __builtin_not_of_clang(1); }\n"
        "#pragma GCC diagnostic error \"-Wint-conversion\"\n"
        "int v(int *q) { return q; }\n"}});
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(said, "");
  for (const char *each : {"k", "g", "h", "m", "p", "u", "v"})
    EXPECT_TRUE(isThere(units.at(0), each)) << each;
}

TEST(Front, TypesAndBuiltInFunctionsThatOnlyGccHasAreKnown) {
  const auto [units, said] = parsedWithMessages(
      {{"a.c",
        "#include <stdlib.h>\n#include <omp.h>\n#include <quadmath.h>\n"
        "_Float128 f(_Float64x a, _Float32 b) { return sinq(a + b) * omp_get_num_threads(); }\n"
        "int g(void) { __builtin_va_arg_pack; return __builtin_va_arg_pack_len(); }\n"}});
  EXPECT_EQ(said, "");
}

// GCC's header of that name, which is found by Clang's, would not do.
TEST(Front, OtherHeadersAreClangsOwn) {
  const auto [units, said] =
      parsedWithMessages({{"a.c", "#include <stdatomic.h>\natomic_long n;\n"
                                  "long f(void) { return atomic_fetch_add(&n, 2); }\n"}});
  EXPECT_EQ(said, "");
}

// As GCC 12 does; to Clang their parameters have no types.
TEST(Front, DefinitionsInTheOldFormAreKnownUnderTheNewestStandard) {
  ::testing::internal::CaptureStderr();
  const auto command = [](const std::string &file) {
    return commandFor(file, {"cc", "-std=gnu2x", "-c"}, "/");
  };
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files(new llvm::vfs::InMemoryFileSystem);
  files->addFile("/a.c", 0, llvm::MemoryBuffer::getMemBuffer("int f(a) int a; { return a; }\n"));
  const auto units = parse({command("a.c")}, files);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  if (!units || units->size() != 1U)
    FAIL();
  EXPECT_TRUE(isThere(units->at(0), "f"));
}

TEST(Front, AProcessorThatClangDoesNotKnowIsNoReasonToGiveUp) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files(new llvm::vfs::InMemoryFileSystem);
  files->addFile("/a.c", 0, llvm::MemoryBuffer::getMemBuffer("int f(void) { return 1; }\n"));
  const auto units =
      parse({commandFor("a.c", {"cc", "-march=of-next-year", "-mfpmath=both", "-c"}, "/")}, files);
  if (!units || units->size() != 1U)
    FAIL();
  EXPECT_TRUE(isThere(units->at(0), "f"));
}

TEST(Front, AHeaderThatIsNoFileIsNotWaitedFor) {
  llvm::SmallString<64> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("forerun-header", folder));
  const std::string fifo = (folder + "/fifo.h").str();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto [units, said] =
      parsedWithMessages({{"a.c", "#include \"" + fifo + "\"\nint f(void) { return N; }\n"}});
  ASSERT_EQ(units.size(), 1U);
  EXPECT_FALSE(isThere(units.at(0), "f"));
  ::unlink(fifo.c_str());
  ASSERT_FALSE(llvm::sys::fs::remove(folder));
}

TEST(Front, WarningsAreLeftToTheCompilerOfTheUser) {
  ::testing::internal::CaptureStderr();
  auto units = parseText({{"a.c", "int f(void) { }\n"}});
  EXPECT_TRUE(units);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace forerun::slicer::testing
