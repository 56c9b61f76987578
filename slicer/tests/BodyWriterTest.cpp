// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

TEST(BodyWriter, StatementsThatAreLeftOutAreGoneAndTheOthersKeepTheirLayout) {
  EXPECT_EQ(bodyOf("", R"(
  n = 1;
  n = 2; // out
  n = p[0] +   /* why */
      p[1];
)"),
            R"(  n = 1;
  n = p[0] +   /* why */
      p[1];
)");
}

TEST(BodyWriter, AnElseOfWhichNothingIsLeftDisappears) {
  EXPECT_EQ(bodyOf("", R"(
  if (n)
    n = 1;
  else
    n = 2; // out
  if (n) {
    n = 1; // out
  } else if (n > 3) {
    n = 4;
  } else {
    n = 5; // out
  }
)"),
            R"(  if (n)
    n = 1;
  if (n) {
  } else if (n > 3) {
    n = 4;
  }
)");
}

TEST(BodyWriter, AnElseStaysWithItsIf) {
  EXPECT_EQ(bodyOf("", R"(
  if (n)
    if (p[0])
      n = 1;
    else
      n = 2; // out
  else
    n = 3;
)"),
            R"(  if (n) {
    if (p[0])
      n = 1;
  } else
    n = 3;
)");
}

TEST(BodyWriter, LoopsKeepWhatIsKeptOfTheirPartsAndBodies) {
  EXPECT_EQ(bodyOf("", R"(
  while (n < 3)
    n++;
  while (n-- > 0)
    p[0] = 1; // out
  do {
    n++;
    p[0] = 2; // out
  } while (n < 9);
  for (n = 0; n < 4; n++)
    p[n] = 0;
  for (n = 0; n < 4;
       p++) { // out
    if (n == 3)
      continue;
    n++;
  }
  for (;;) {
    break;
  }
)"),
            R"(  while (n < 3)
    n++;
  while (n-- > 0) {
  }
  do {
    n++;
  } while (n < 9);
  for (n = 0; n < 4; n++)
    FORERUN_PRE_OWN(p[n]) = 0;
  for (n = 0; n < 4;) {
    if (n == 3)
      continue;
    n++;
  }
  for (;;) {
    break;
  }
)");
}

TEST(BodyWriter, AForLoopDeclaresWhatIsKeptOfItsVariables) {
  EXPECT_EQ(bodyOf("", R"(
  for (int i = 0, j = 1; i < n; i++, j++)
    p[i] = j;
  for (int i = 0,
       unused = 1; // out
       i < n; i++)
    p[i] = 0;
  for (int i = 0, k = 2,
       unused = 1; // out
       i < n; i++)
    p[i] = k;
)"),
            R"(  for (int i = 0, j = 1; i < n; i++, j++)
    FORERUN_PRE_OWN(p[i]) = j;
  for (int i = 0; i < n; i++)
    FORERUN_PRE_OWN(p[i]) = 0;
  {
    int i = 0;
    int k = 2;
    for (; i < n; i++)
    FORERUN_PRE_OWN(p[i]) = k;
  }
)");
}

TEST(BodyWriter, ASwitchKeepsItsLabelsAndFallsThroughAsBefore) {
  EXPECT_EQ(bodyOf("enum e { A, B, C, D };\n#define LAST 9\n", R"(
  switch (n) {
  case A:
    p[0] = 1; // out
  case B: {
    int local = 3;
    n = local;
    break;
  }
  case C: case D: n = 5; break;
  case 5 ... 8:
    n = 2;
    break;
  case LAST:
    n = 3; // out
    break; // out
  default:
    p[0] = 1; // out
  }
)"),
            R"(  switch (n) {
  case A:
  case B: {
    int local = 3;
    n = local;
    break;
  }
  case C:
  case D:
    n = 5;
    break;
  case 5 ... 8:
    n = 2;
    break;
  case LAST:
  default:
    ;
  }
)");
}

TEST(BodyWriter, LabelsThatAreJumpedToStayEvenIfTheirStatementDoesNot) {
  EXPECT_EQ(bodyOf("", R"(
  if (n)
    goto done;
  if (n > 2)
    goto never; // out
again:
  n++;
  if (n < 4)
    goto again;
never:
  n = 7;
done:
  p[0] = 1; // out
)"),
            R"(  if (n)
    goto done;
  if (n > 2) {
  }
again:
  n++;
  if (n < 4)
    goto again;
  n = 7;
done:
  ;
)");
}

TEST(BodyWriter, AGotoOutOfTheSliceKeepsItsTargetInAStatementThatIsLeftOut) {
  EXPECT_EQ(bodyOf("", R"(
  if (n)
    goto inside;
  while (p[0]) { // out
  inside:
    p[0] = 1; // out
  }
  n = 2;
)"),
            R"(  if (n)
    goto inside;
  inside:
  n = 2;
)");
}

TEST(BodyWriter, ReturnsWhoseValueIsNotNeededReturnZeroOrNothing) {
  auto result = emitted(R"(
struct pair { int a, b; };
int number(int n) {
  if (n)
    return n * 2; // bare
  return 3;
}
int *pointer(int *p) {
  return p; // bare
}
struct pair both(struct pair x) {
  return x; // bare
}
void none(int n) {
  if (n)
    return;
}
)");
  EXPECT_TRUE(result.compiles);
  auto text = result.clones();
  EXPECT_THAT(text, ::testing::HasSubstr("  if (n)\n    return 0;\n  return 3;\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("int *pointer__pre(int *p) {\n  return 0;\n}\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("  return (struct pair){0};\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("  if (n)\n    return;\n"));
}

TEST(BodyWriter, TheFunctionsNameIsTheOriginals) {
  EXPECT_EQ(bodyOf("#define NAME __func__\n", R"(
  const char *name = __func__;
  n = (int)sizeof __FUNCTION__ + NAME[0];
)"),
            R"(  const char *name = "f";
  n = (int)sizeof "f" + "f"[0];
)");
}

TEST(BodyWriter, TheLineIsTheOriginals) {
  EXPECT_EQ(bodyOf("#line 40\n", R"(
  n = __LINE__;
  int line = __LINE__ % 10;
)"),
            R"(  n = 44;
  int line = 45 % 10;
)");
}

TEST(BodyWriter, BlocksOfWhichNothingIsLeftVanish) {
  EXPECT_EQ(bodyOf("", R"(
  {
    n = 1; // out
  }
  {
    n = 2;
    {
      ;
    }
  }
)"),
            R"(  {
    n = 2;
  }
)");
}

TEST(BodyWriter, AStatementExpressionIsSlicedToo) {
  EXPECT_EQ(bodyOf("", R"(
  n = ({
    int twice = n * 2;
    p[0] = 1; // out
    twice;
  });
  n = ({ int once = n; once; });
)"),
            R"(  n = ({
    int twice = n * 2;
    twice;
  });
  n = ({ int once = n; once; });
)");
}

/// Where a macro's statement expression is not copied, all in it is the clone's own.
TEST(BodyWriter, AStatementExpressionThatIsPrintedNamesNothingOfTheMainThread) {
  auto result = emitted(R"(
int size;
static int draw(int n) { return size += n; }
#define TRY(call) ({ int code = (call), two[2] = {draw(1), code}; for (int i = draw(2); i < 3; i++) code += i; code; })
int f(int n) { return TRY(draw(n)) + TRY(TRY(size)); }
)");
  EXPECT_TRUE(result.compiles);
  std::string clone = result.clones();
  clone.erase(0, clone.rfind("int f__pre("));
  EXPECT_THAT(clone, ::testing::HasSubstr("draw__pre(1)"));
  EXPECT_THAT(clone, ::testing::Not(::testing::ContainsRegex("draw\\(|size[^_]")));
}

TEST(BodyWriter, ATypeWhoseSizeIsGlobalIsWrittenWithThePrivateCopy) {
  auto result = emitted(R"(
int size;
#define ROW(p) (((int (*)[size])(p))[1][0] + (p)[0])
#undef __GNUC_MINOR__
#define FIXED(p) (((int (*)[4])(p))[1][0] + ROW(p))
int f(int *p) { return FIXED(p); }
#undef ROW
#define ROW(p) 0
)");
  EXPECT_THAT(result.problems, ::testing::IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(), ::testing::HasSubstr("((int (*)[size__pre])(p))"));
}

TEST(BodyWriter, DirectivesBetweenStatementsAreNotCopied) {
  EXPECT_EQ(bodyOf("#define FAST 1\n", R"(
#if FAST
  n = 1;
#else
  n = 2;
#endif
#undef FAST
#define FAST 2
  n = FAST;
)"),
            R"(  n = 1;
  n = FAST;
)");
}

TEST(BodyWriter, AMacroThatMeansSomethingElseAtTheEndOfTheUnitIsExpanded) {
  auto result = emitted(R"(
#define SIZE 10
#define TWICE(x) (2 * (x))
int f(int n) { return n + TWICE(SIZE) + TWICE(n); }
#undef SIZE
#define SIZE 20
)");
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(), ::testing::HasSubstr("return n + (2 * (10)) + (2 * (n));"));
}

TEST(BodyWriter, ATypeWithoutANameInAMacroIsWrittenAsTheMacroWritesIt) {
  EXPECT_EQ(bodyOf("#include <stddef.h>\n"
                   "#define ALIGN_OF(T) offsetof(struct { char c; T x; }, x)\n"
                   "#define GIVE(T, p) give(p, ALIGN_OF(T), #p)\n"
                   "static int give(int *p, size_t align, const char *name) { return *p; }",
                   "  n = GIVE(double, p + 1);\n"),
            "  n = give__pre(p + 1, __builtin_offsetof(struct { char c; double x; }, x), "
            "\"p + 1\");\n");
}

TEST(BodyWriter, ANameThatHasBecomeThatOfAMacroIsNoUseOfIt) {
  EXPECT_EQ(bodyOf("static int one(int n) { return n; }\n"
                   "struct with { int one; };\n"
                   "static int other(int n) { return n; }\n"
                   "#define BOTH(n) one(n) + other(n)\n"
                   "int before(int n) { return BOTH(n); }\n"
                   "#define other(n) other((n) + 1)\n",
                   "  n = BOTH(n) + BOTH(3);\n"),
            "  n = one__pre(n) + other__pre((n) + 1) + one__pre(3) + other__pre((3) + 1);\n");
}

TEST(BodyWriter, WhatWasAssertedAtCompileTimeIsNotAssertedAgain) {
  EXPECT_EQ(bodyOf("", R"(
  int mine[2]; // out
  _Static_assert(sizeof mine == 8, "two numbers");
  n = 1;
)"),
            "  n = 1;\n");
}

TEST(BodyWriter, StatementMacrosAreKeptWholeOrTakenApart) {
  EXPECT_EQ(bodyOf(R"(
#include <stdio.h>
static void die(int n);
static void die(int n) { (void)n; }
#define CHECK(call) do { int rc_ = (call); if (rc_) die(rc_); } while (0)
#define REPORT(x) do { printf("%d\n", x); (x)++; } while (0)
#define SET(a, v) do { (a) = (v); } while (0)
)",
                   R"(
  SET(n, 3);
  CHECK(n > 3);
  if (n)
    SET(n, 4);
  else
    SET(n, 5);
)"),
            R"(  SET(n, 3);
  do {
    int rc_ = (n > 3);
    if (rc_)
      die__pre(rc_);
  } while (0);
  if (n) {
    SET(n, 4);
  } else {
    SET(n, 5);
  }
)");
}

} // namespace
} // namespace forerun::slicer::testing
