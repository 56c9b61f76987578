// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

/// \file
/// The analysis of only the functions that lead to reads.

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Result {
  std::vector<std::string> functions; ///< that were analysed
  std::vector<std::string> notes;
  std::string text; ///< of the first unit
};

Result framed(const Files &files) {
  Analysis::Limits limits;
  limits.functions = Analysis::Functions::OfFrame;
  const SlicedProgram program(files, {.limits = limits});
  Result result;
  for (const Function &each : program.analysis().program().functions)
    if (each.definition)
      result.functions.push_back(each.name);
  result.notes = program.notes();
  result.text = program.text();
  return result;
}

Result framed(const std::string &before, const std::string &body) {
  return framed(Files{{"a.c", programWith(body, before)}});
}

TEST(Frame, HasWhatLeadsToReadsAndNothingElse) {
  const auto result = framed(R"(
static double square(double x) { return x * x; }
static double work(void) { double sum = 0; for (int i = 0; i < 64; i++) sum += square(buf[i]); return sum; }
static void step(long at) { get(at); }
)",
                             "  for (int i = 0; i < 9; i++) { step(i * 8); work(); }\n");
  EXPECT_THAT(result.functions, ElementsAre("get", "step", "main"));
  EXPECT_THAT(result.text, HasSubstr("static void step__pre(long at)"));
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(Frame, HasWhatIsReachedThroughTablesAndPointers) {
  const auto result = framed(R"(
struct backend { void (*read)(long); };
static const struct backend only = {get};
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int (*const order)(const void *, const void *) = compare;
static void all(const struct backend *with) { for (int i = 0; i < 9; i++) with->read(i * 8); }
static int unused(int x) { return x + 1; }
)",
                             "  all(&only);\n  return unused(order == 0);\n");
  EXPECT_THAT(result.functions, ElementsAre("get", "compare", "all", "main"));
}

TEST(Frame, HasWhatStoresThePointersThatAreCalled) {
  const auto result = framed(R"(
struct test { void (*run)(long); long at; };
static struct test tests[9]; static int count;
static void add(void (*run)(long), long at) { tests[count].run = run; tests[count++].at = at; }
static void copy(const struct test *from) { tests[count++] = *from; }
static void skip(long at) { count += at; }
)",
                             "  add(get, 8); copy(&tests[0]); skip(1);\n"
                             "  for (int i = 0; i < count; i++) tests[i].run(tests[i].at);\n");
  EXPECT_THAT(result.functions, ElementsAre("get", "add", "copy", "main"));
  EXPECT_THAT(result.text, HasSubstr("static void get__pre(long at)"));
}

TEST(Frame, HasWhatCallsALibraryWithATwin) {
  const auto result = framed(R"(
int H5Dopen2(int, const char *, int);
int H5Dread(int, int, int, int, int, void *);
static int dataset(int file) { return H5Dopen2(file, "d", 0); }
static void row(int from) { H5Dread(from, 1, 2, 3, 0, buf); }
static double sum(void) { double s = 0; for (int i = 0; i < 64; i++) s += buf[i]; return s; }
)",
                             "  int d = dataset(argc); row(d); sum();\n");
  EXPECT_THAT(result.functions, ElementsAre("get", "dataset", "row", "main"));
  EXPECT_THAT(result.text, HasSubstr("row__pre("));
}

TEST(Frame, WhatOtherFunctionsComputeIsForwarded) {
  const auto result =
      framed("static long first(void) { long n = 1; while (n < 99) n *= 3; return n; }\n"
             "static void second(long *to) { *to = first() * 2; }\n",
             "  long at; second(&at);\n  get(first()); get(at);\n");
  EXPECT_THAT(result.notes,
              ElementsAre("forwarded: what second gives", "forwarded: what first gives"));
}

TEST(Frame, AGlobalThatOthersChangeIsForwardedAfterTheirCalls) {
  const auto result = framed(R"(
static struct { int n; double scale[3]; } options; static long other;
static void set(const char *text) { options.n = text[0]; }
static void parse(char **argv) { set(argv[0]); other = 3; }
static double scaled(void) { return buf[0] * options.scale[1] * options.n; }
)",
                             "  parse(argv);\n"
                             "  for (int i = 0; i < options.n; i++) { get(i * 8); scaled(); }\n");
  EXPECT_THAT(result.notes, ElementsAre("forwarded: what parse gives"));
  EXPECT_THAT(
      result.text,
      AllOf(
          HasSubstr("parse(argv); { __typeof__(options) __forerun_value = options; "
                    "forerun_main_forward(2, (void *)&__forerun_value, sizeof __forerun_value); }"),
          HasSubstr("forerun_pre_receive(2, (void *)&options__pre, sizeof options__pre);")));
}

TEST(Frame, WhatCannotBeHandedOverEndsPreExecutionWhereItIsNeeded) {
  const auto pointer = framed("static long *table; static long one;\n"
                              "static void make(void) { table = &one; }\n",
                              "  get(0);\n  make();\n  get(table[0]);\n");
  EXPECT_THAT(pointer.notes,
              ElementsAre("pre-execution ends here: what make returns cannot be forwarded, "
                          "and its source is not analysed"));
  const auto hidden = framed("static long n;\nstatic void make(void) { n = 3; }\n",
                             "  { double n = 0; make(); buf[0] = n; }\n  get(n);\n");
  EXPECT_THAT(hidden.notes, Contains(HasSubstr("pre-execution ends here")));
}

TEST(Frame, AStaticOfAnotherUnitIsNotNamed) {
  const auto result = framed({{"a.c", std::string("void set(void);\nlong value(void);\n") +
                                          programWith("  set();\n  get(value());\n")},
                              {"b.c", "static long hidden;\nvoid set(void) { hidden = 3; }\n"
                                      "long value(void) { return hidden; }\n"}});
  EXPECT_THAT(result.notes, ElementsAre("forwarded: what value gives"));
}

TEST(Frame, AFunctionOfTheProgramIsNotTakenForTheModelOfItsName) {
  const auto result = framed("int abs(int x) { return x + 3; }\n", "  get(abs(-4));\n");
  EXPECT_THAT(result.notes, ElementsAre("forwarded: what abs gives"));
  EXPECT_THAT(result.text, Not(HasSubstr("abs__pre")));
}

} // namespace
} // namespace forerun::slicer::testing
