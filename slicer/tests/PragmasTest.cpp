// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

/// \file
/// Pragmas: how they change the slice and the text, and the errors for misplaced ones.

namespace forerun::slicer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char *kSearch = "static int search(int n) { return n * 3; }\n";
constexpr const char *kRead = "  MPI_File_read_at(fh, n, buf, 8, MPI_DOUBLE, MPI_STATUS_IGNORE);\n";

/// A program whose main has this body after the start, in which n and rank are defined.
std::string programOf(const std::string &body, const std::string &before = "") {
  return programWith("  int rank, n = 1;\n" + body, kSearch + before);
}

/// Its text, with its pre-execution code.
std::string emittedMain(const std::string &body, const std::string &before = "") {
  return SlicedProgram(programOf(body, before)).text();
}

/// The messages about a program that is refused.
std::string messageFor(const Files &files) {
  ::testing::internal::CaptureStderr();
  const auto units = parseText(files);
  const bool isRefused = !units || !findOverrides(*units);
  std::string said = ::testing::internal::GetCapturedStderr();
  return isRefused ? said : "accepted";
}

std::string messageForMain(const std::string &body) {
  return messageFor({{"a.c", programOf(body)}});
}

TEST(Pragmas, AForwardedVariableIsReceivedAndWhatComputesItIsOut) {
  const std::string text =
      emittedMain(std::string("#pragma forerun forward(n)\n  n = search(argc);\n") + kRead);
  EXPECT_THAT(text, HasSubstr("#pragma forerun forward(n)\n  n = search(argc); "
                              "{ __typeof__(n) __forerun_value = n; forerun_main_forward("));
  EXPECT_THAT(text, HasSubstr(", (void *)&__forerun_value, sizeof __forerun_value); }"));
  EXPECT_THAT(text, HasSubstr("  forerun_pre_receive("));
  EXPECT_THAT(text, HasSubstr(", __LINE__, __FILE__, \"n, forwarded\"},\n"));
  EXPECT_THAT(text, Not(HasSubstr("search__pre")));
}

TEST(Pragmas, AVariableThatIsDeclaredByTheStatementCanBeForwarded) {
  const std::string text = emittedMain(
      std::string("#pragma forerun forward(m)\n  int m = search(argc);\n  n = m;\n") + kRead);
  EXPECT_THAT(text, HasSubstr("int m = search(argc); { __typeof__(m) __forerun_value = m; "));
  EXPECT_THAT(text, HasSubstr("  int m;\n  forerun_pre_receive("));
}

TEST(Pragmas, AForwardedGlobalIsReceivedInItsPrivateCopy) {
  const std::string text = emittedMain(
      std::string("#pragma forerun forward(at)\n  at = search(argc);\n  n = at;\n") + kRead,
      "int at;\n");
  EXPECT_THAT(text, HasSubstr(", (void *)&at__pre, sizeof at__pre);"));
  EXPECT_THAT(text, HasSubstr("{ __typeof__(at) __forerun_value = at; forerun_main_forward("));
}

TEST(Pragmas, AVariableThatIsNotNeededIsNotForwarded) {
  const std::string text =
      emittedMain(std::string("#pragma forerun forward(rank)\n  rank = search(argc);\n") + kRead);
  EXPECT_THAT(text, Not(HasSubstr("forerun_main_forward")));
}

TEST(Pragmas, TheStartIsBeforeTheStatementAfterThePragma) {
  const std::string text =
      emittedMain(std::string("  search(0);\n#pragma forerun launch\n  n = 2;\n") + kRead);
  EXPECT_THAT(text, HasSubstr("  forerun_main_MPI_Init(&argc, &argv);"));
  EXPECT_THAT(text, HasSubstr("#pragma forerun launch\n"
                              "  (void)forerun_main_start(main__pre, 2, 0); n = 2;"));
}

TEST(Pragmas, AnIgnoredReadIsNotAnnounced) {
  const std::string text =
      emittedMain(std::string("#pragma forerun ignore\n") + kRead + "  n = 2;\n" + kRead);
  EXPECT_EQ(llvm::StringRef(text).count("forerun_pre_read_at("), 1U);
}

TEST(Pragmas, AnIgnoredReadStillMovesTheFilePointer) {
  const char *read = "  MPI_File_read(fh, buf, 8, MPI_INT, MPI_STATUS_IGNORE);\n";
  const std::string text = emittedMain(std::string("#pragma forerun ignore\n") + read + read);
  EXPECT_EQ(llvm::StringRef(text).count("forerun_pre_read("), 1U);
  EXPECT_EQ(llvm::StringRef(text).count("forerun_pre_write("), 1U);
}

TEST(Pragmas, ReadsInAnIgnoredFunctionAreNotAnnounced) {
  const std::string next = std::string("static void next(int n) {\n") + kRead + "}\n";
  EXPECT_THAT(emittedMain("  next(n);\n", next), HasSubstr("forerun_pre_read_at("));
  EXPECT_THAT(emittedMain("  next(n);\n", "#pragma forerun ignore\n" + next),
              Not(HasSubstr("forerun_pre_")));
}

TEST(Pragmas, AnIgnoredReadWhoseBytesAreNeededIsFetched) {
  const std::string text =
      emittedMain(std::string("#pragma forerun ignore\n") + kRead + "  n = buf[0];\n" + kRead);
  EXPECT_THAT(text, HasSubstr("forerun_pre_fetch_at("));
}

TEST(Pragmas, EachMisuseIsOneErrorThatNamesThePlaceAndWhatToDo) {
  const auto at = [](unsigned lineOfBody) {
    const unsigned before = kHeadLines + 5; // kSearch, and main up to there
    return "a.c:" + std::to_string(before + lineOfBody);
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"#pragma forerun lunch\n  n = 2;\n",
       at(1) + ":17: error: '#pragma forerun' must be followed by launch, forward(x) or ignore"},
      {"#pragma forerun forward\n  n = 2;\n",
       "error: write '#pragma forerun forward(x)', x being a variable"},
      {"#pragma forerun ignore all\n  n = 2;\n", "error: nothing may follow here: end the line"},
      {"#pragma forerun forward(m)\n  n = 2;\n  int m;\n",
       at(1) + ":17: error: 'm' is not a variable that is visible after the next statement"},
      {"#pragma forerun forward(argv)\n  n = 2;\n", "error: 'argv' holds a pointer"},
      {"#pragma forerun forward(fixed)\n  const int fixed = 2;\n", "error: 'fixed' is const"},
      {"#pragma forerun forward(n)\n  return 0;\n", "error: nothing follows a jump"},
      {"  if (n)\n#pragma forerun forward(n)\n    n = 2;\n",
       "error: put braces around the statement that follows, and the pragma inside"},
      {"  { n = 2;\n#pragma forerun ignore\n  }\n",
       "error: no statement follows in this block: put it before one"},
      {"  n = 2 +\n#pragma forerun ignore\n    3;\n",
       "error: it is inside a statement: put it before that"},
      {"  n = ({\n#pragma forerun forward(n)\n    n = 2; n; });\n",
       "error: it is inside '({ ... })': put it before the whole statement"},
      {"  switch (n) {\n#pragma forerun launch\n  case 1: n = 2;\n  }\n",
       "error: a label of a switch follows: put it after that"},
      {"#pragma forerun launch\n  n = 2;\n#pragma forerun launch\n  n = 3;\n",
       at(3) + ":17: error: there is a second '#pragma forerun launch' in this program"},
  };
  for (const auto &[body, message] : cases) {
    const std::string said = messageForMain(body);
    EXPECT_THAT(said, HasSubstr(message)) << body;
    EXPECT_EQ(llvm::StringRef(said).count("error:"), 1U) << said;
  }
}

TEST(Pragmas, OutsideOfFunctionsOnlyAFunctionCanBeIgnored) {
  EXPECT_THAT(messageFor({{"a.c", "#pragma forerun ignore\nint n;\nint f(void) { return n; }\n"}}),
              HasSubstr("a.c:1:17: error: neither a function with a body nor a statement follows"));
  EXPECT_THAT(messageFor({{"a.c", "#pragma forerun launch\nint f(void) { return 0; }\n"}}),
              HasSubstr("error: it must be in the body of a function"));
}

TEST(Pragmas, TheStartIsOneForAllUnits) {
  const char *text = "void f(void) {\n#pragma forerun launch\n  ;\n}\n";
  EXPECT_THAT(messageFor({{"a.c", text}, {"b.c", std::string("static ") + text}}),
              HasSubstr("b.c:2:17: error: there is a second"));
}

TEST(Pragmas, PragmasThatThePreprocessorSkipsHaveNoEffect) {
  EXPECT_EQ(messageForMain("#if 0\n#pragma forerun nonsense\n#endif\n"), "accepted");
}

} // namespace
} // namespace forerun::slicer::testing
