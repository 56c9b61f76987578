// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "SlicedProgram.h"
#include "report/Summary.h"
#include "slice/plan/Unset.h"

/// \file
/// Where pre-execution ends because it could only go wrong, or run in vain.

namespace forerun::slicer::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// "line: variable" for what f's clone reads although nothing gives it a value; the comments say
/// what is in the slice (EmitTesting.h). The body's first line is 1.
std::vector<std::string> unsetIn(const std::string &body, const std::string &before = "") {
  std::vector<std::string> found;
  const std::string head = before + "void f(int n, int *p)\n{\n";
  emitted(head + body + "}\n", [&](const Units &units, const Slice &slice) {
    const auto &sources = units[0].ast->getSourceManager();
    const auto first = llvm::StringRef(head).count('\n');
    for (const Unset &each : findUnset(slice, {}))
      found.push_back(
          std::to_string(sources.getPresumedLineNumber(each.statement->getBeginLoc()) - first) +
          ": " + each.variable->getNameAsString());
  });
  return found;
}

TEST(SliceEnds, AVariableWhoseValueIsLeftOutIsFoundWhereItIsRead) {
  EXPECT_THAT(unsetIn(R"(int a = 3; // no value
int b;
b = 4; // out
int c = 5;
p[0] = a;
if (b > 2)
  p[1] = c;
)"),
              ElementsAre("5: a", "6: b"));
}

TEST(SliceEnds, AlsoIfItHasOneFromAnEarlierIteration) {
  EXPECT_THAT(unsetIn(R"(unsigned s = 1; // no value
for (int i = 0; i < n; i++) {
  s = s * 5 + 1;
  p[i] = s;
}
)"),
              ElementsAre("3: s"));
}

TEST(SliceEnds, AnAddressThatIsTakenMayGiveAValue) {
  EXPECT_THAT(unsetIn(R"(int a, b, c[2];
set(&a);
set(&b); // out
set(c);
p[0] = a;
p[1] = b;
p[2] = c[1];
)",
                      "void set(int *);\n"),
              ElementsAre("6: b"));
}

TEST(SliceEnds, WhatTheProgramItselfNeverSetsIsItsOwnAffair) {
  EXPECT_THAT(unsetIn(R"(int a, b;
if (n)
  b = 1; // out
else if (n > 1)
  b = 2;
p[0] = a;
p[1] = b;
)"),
              IsEmpty());
}

TEST(SliceEnds, OnAWayThatEndsNothingIsMissing) {
  EXPECT_THAT(unsetIn(R"(int a;
if (n)
  a = 1;
else {
  a = 2; // out
  stop();
}
p[0] = a;
)",
                      "_Noreturn void stop(void);\n"),
              IsEmpty());
}

TEST(SliceEnds, TheStatementIsReplacedByTheEnd) {
  const Emitted result = emitted(
      "void f(int n, int *p) {\n  int a;\n  if (n)\n    a = 3;\n  else if (n > 1)\n"
      "    n = 4;\n  while (n)\n    n--;\n  p[0] = a;\n}\n",
      [](const Units &, Slice &slice) {
        std::vector<const clang::Stmt *> all(slice.statements.begin(), slice.statements.end());
        for (const clang::Stmt *each : all) {
          const auto *branch = clang::dyn_cast<clang::IfStmt>(each);
          if (branch && !branch->getElse())
            slice.ends.insert(each);
          if (clang::isa<clang::WhileStmt>(each))
            slice.ends.insert(each);
        }
      });
  EXPECT_TRUE(result.compiles);
  const auto end = [](int line) {
    return "forerun_pre_end(\"it reached line " + std::to_string(line) +
           " of a.c, where it cannot go on\");\n";
  };
  EXPECT_THAT(result.clones(), HasSubstr("  int a;\n  if (n)\n    a = 3;\n  else {\n    " + end(5) +
                                         "  }\n  " + end(7) + "  FORERUN_PRE_OWN(p[0]) = a;\n"));
}

/// The notes of a program with this in main, and how often its pre-execution ends.
struct Planned {
  std::vector<std::string> notes;
  std::size_t ends = 0;
};
Planned planned(const std::string &body, const std::string &before = "") {
  const SlicedProgram program(programWith(body, before));
  return {program.notes(), program.slice().ends.size()};
}

constexpr const char *kEndless = "pre-execution ends here: no statement of the slice leaves this "
                                 "loop, in which nothing is prefetched";
constexpr const char *kShared = "MPI_File_read_shared(fh, buf, 8, MPI_DOUBLE, MPI_STATUS_IGNORE);";

TEST(SliceEnds, ALoopThatOnlyAnExitWouldLeaveEndsItIfNothingInItIsAnnounced) {
  const Planned found = planned("  get(0);\n  for (;;) {\n    " + std::string(kShared) +
                                "\n    if (buf[0] > 3)\n      break;\n  }\n");
  EXPECT_THAT(found.notes, Contains(kEndless));
  EXPECT_EQ(found.ends, 1U);
}

TEST(SliceEnds, SoDoesOneThatAGotoMakes) {
  const Planned found = planned("  get(0);\nagain:\n  " + std::string(kShared) +
                                "\n  if (buf[0] > 3)\n    return 0;\n  goto again;\n");
  EXPECT_LE(found.ends, 1U);
}

TEST(SliceEnds, ALoopInWhichSomethingIsAnnouncedOrAwaitedGoesOn) {
  for (const char *in : {"get(1);", "scanf(\"%d\", &argc); get(argc);"}) {
    const Planned found = planned("  for (;;) {\n    " + std::string(in) + "\n    " + kShared +
                                  "\n    if (buf[0] > 3)\n      break;\n  }\n");
    EXPECT_THAT(found.notes, Not(Contains(kEndless))) << in;
    EXPECT_EQ(found.ends, 0U) << in;
  }
}

TEST(SliceEnds, ALoopWithAnEndGoesOn) {
  const Planned found =
      planned("  get(0);\n  for (int i = 0; i < argc; i++)\n    " + std::string(kShared) + "\n");
  EXPECT_EQ(found.ends, 0U);
}

/// What the summary says of the reads of such a program.
std::vector<std::string> fates(const std::string &body, const std::string &before = "") {
  const SlicedProgram program(programWith(body, before));
  std::vector<std::string> result;
  for (const Call &call : program.analysis().program().calls)
    if (call.name == "MPI_File_read_at")
      result.push_back(fateOf(program.analysis(), call).value_or(""));
  return result;
}

constexpr const char *kMap = "#include <sys/mman.h>\n";
constexpr const char *kMapped = "long *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE, 3, 0);\n";
constexpr const char *kNotReached = "not reached: pre-execution ends before it";

TEST(SliceEnds, AReadBehindTheEndIsNotAnnounced) {
  EXPECT_THAT(fates(std::string("  ") + kMapped + "  get(p[0]);\n", kMap),
              ElementsAre(kNotReached));
}

TEST(SliceEnds, NorIsOneBehindAFunctionThatAlwaysEndsIt) {
  const std::string before = std::string(kMap) +
                             "static long *p;\nstatic void map(int n) {\n  if (n) "
                             "p = mmap(0, 4096, PROT_READ, MAP_PRIVATE, 3, 0);\n";
  EXPECT_THAT(fates("  map(argc);\n  get(p[0]);\n",
                    before + "  p = mmap(0, 8192, PROT_READ, MAP_PRIVATE, 3, 0);\n}\n"),
              ElementsAre(kNotReached));
  EXPECT_THAT(fates("  map(argc);\n  get(p[0]);\n", before + "}\n"), ElementsAre("prefetched"));
}

TEST(SliceEnds, NorIsOneBehindALoopOrAJumpThatComesToTheEndFirst) {
  const std::string mapped = kMapped;
  for (const std::string &body :
       {"  for (;;) {\n  " + mapped + "    at = p[0];\n    break;\n  }\n  get(at);\n",
        "  while (1) {\n  " + mapped + "    at = p[0];\n    if (at > 1) break;\n  }\n  get(at);\n",
        "  goto skip;\nback:\n  get(at);\n  goto done;\nskip:;\n" + mapped +
            "  at = p[0];\n  goto back;\ndone:;\n"})
    EXPECT_THAT(fates("  long at = 1;\n" + body, kMap), ElementsAre(kNotReached)) << body;
}

TEST(SliceEnds, OneThatIsReachedInAnotherWayIs) {
  for (const std::string &body : {std::string("  get(1);\n  ") + kMapped + "  get(p[0]);\n",
                                  "  long at = 1;\n  if (argc > 1) {\n    " + std::string(kMapped) +
                                      "    at = p[0];\n  }\n  get(at);\n"})
    EXPECT_THAT(fates(body, kMap), ElementsAre("prefetched")) << body;
}

} // namespace
} // namespace forerun::slicer::testing
