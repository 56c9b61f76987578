// SPDX-License-Identifier: Apache-2.0
#include "input/StmtKinds.h"
#include "EmitTesting.h"
#include "SlicedProgram.h"
#include "input/Traversal.h"
#include "report/Summary.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The names of the kinds in a text that the slicer does not know.
std::vector<std::string> unknownIn(const std::string &text) {
  class Finder : public Traversal {
  public:
    std::vector<std::string> found;

  private:
    bool enterStmt(clang::Stmt &stmt) override {
      if (!isKnownKind(&stmt))
        found.push_back(UnknownKind{&stmt}.name().str());
      return true;
    }
  };
  const Units units = parsed({{"a.c", text}});
  Finder finder;
  finder.traverse(units.at(0).ast->getASTContext());
  return finder.found;
}

/// The notes on a program, with their lines.
std::vector<std::string> notesOn(const std::string &body) {
  const SlicedProgram program("#include <mpi.h>\nint main(int argc, char **argv) {\n" + body +
                              "}\n");
  std::vector<std::string> result;
  const auto found = summary(program.analysis(), program.units());
  for (const auto &each : *found.getArray("notes"))
    result.push_back(std::to_string(each.getAsObject()->getInteger("line").value_or(0)) + ": " +
                     each.getAsObject()->getString("text").value_or("").str());
  return result;
}

TEST(StmtKinds, AllOfStandardCIsKnown) {
  EXPECT_THAT(unknownIn(R"(
int f(int n) {
  int a[2] = {1, 2}, sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == 3)
      continue;
    else
      sum += a[i % 2];
    do
      n--;
    while (n > 7);
  }
  while (n-- > 3)
    if (sum > 4)
      break;
  switch (n) {
  case 1:
    goto out;
  default:;
  }
out:
  return sum;
}
)"),
              IsEmpty());
}

TEST(StmtKinds, WhatGnuCAddsIsKnownButAsm) {
  EXPECT_THAT(unknownIn(R"(
int f(int n) {
  void *to[] = {&&one, &&other};
  int twice = ({ int all = n; all * 2; });
  goto *to[n % 2];
one:
  switch (n) {
  case 1 ... 3:
    __attribute__((fallthrough));
  case 4:
    return twice;
  }
other:
  __asm__ volatile("nop");
  return 0;
}
)"),
              ElementsAre("GCCAsmStmt"));
}

TEST(StmtKinds, AnUnknownOneIsNamedInANoteWithItsLine) {
  EXPECT_THAT(notesOn("  int n = argc;\n  __asm__(\"\" : \"+r\"(n));\n  return n;\n"),
              ElementsAre("4: the slicer does not know statements of the kind GCCAsmStmt: what it "
                          "does is left out of pre-execution"));
}

TEST(StmtKinds, AnUnknownOneInAStatementExpressionIsToo) {
  EXPECT_THAT(notesOn("  return ({ if (argc > 1)\n    __asm__(\"nop\");\n  argc; });\n"),
              ElementsAre(HasSubstr("4: the slicer does not know")));
}

TEST(StmtKinds, AComputedGotoNeedsNoNote) {
  EXPECT_THAT(notesOn("  void *to = &&out;\n  goto *to;\nout:\n  return 0;\n"), IsEmpty());
}

TEST(StmtKinds, AnUnknownOneIsNeverWrittenWithoutAWord) {
  const auto result = emitted("void f(void) {\n  __asm__(\"nop\");\n}\n");
  ASSERT_THAT(result.problems, SizeIs(1));
  EXPECT_EQ(result.problems[0].message, "a statement of the kind GCCAsmStmt cannot be written");
}

TEST(StmtKinds, StatementsStandInBlocksBranchesLoopsAndAfterLabels) {
  const auto units = parseText({{"a.c", "void f(int n) {\n  if (n) { n++; n--; }\n  for (;;) n++;\n"
                                        "  while (n)\n  one: n--;\n}\n"}});
  if (!units)
    FAIL() << "the program does not compile";
  const clang::Stmt *body = nullptr;
  for (const auto *each : units->front().ast->getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(each))
      body = function->getBody();
  ASSERT_NE(body, nullptr);
  const auto inner = statementsIn(body);
  ASSERT_THAT(inner, SizeIs(3));
  ASSERT_THAT(statementsIn(inner[0]), SizeIs(2)); // the else, too, that is not there
  EXPECT_THAT(statementsIn(statementsIn(inner[0])[0]), SizeIs(2));
  EXPECT_EQ(statementsIn(inner[0])[1], nullptr);
  EXPECT_THAT(statementsIn(inner[1]), SizeIs(1));
  ASSERT_THAT(statementsIn(inner[2]), SizeIs(1));
  EXPECT_THAT(statementsIn(statementsIn(inner[2])[0]), SizeIs(1));
}

} // namespace
} // namespace forerun::slicer::testing
