// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(BodyWriter, EachKeptVariableIsDeclaredAlone) {
  EXPECT_EQ(bodyOf("", R"(
  int *a = p, b = n,
      c = 3; // out
  int *q,
      r = n; // no value
  a[b] = *(q = &r);
)"),
            R"(  int *a = p;
  int b = n;
  int *q;
  int r;
  FORERUN_PRE_OWN(a[b]) = *(q = &r);
)");
}

TEST(BodyWriter, DeclaratorsOfEveryShapeAreWrittenCorrectly) {
  EXPECT_EQ(bodyOf("#define SIZE 4\nstatic int g(int n) { return n; }\n", R"(
  int (*function)(int) = g;
  int (*table[2])(int) = { g, [1] = g }, x; // no value
  char text[SIZE + 1] = "abc";
  char guessed[] = "abc"; // no value
  int size[] = { 1, 2, [5] = 3 };
  double vla[n][SIZE];
  const int limit = 9; // no value
  unsigned long int matrix[2][3], (*row)[3] = matrix;
  _Alignas(16) char aligned[3], other;
  n = function(limit) + (int)sizeof(vla) + size[5] + text[0] + guessed[0];
  table[0] = g, x = aligned[0] + other + row[0][0];
)"),
            R"(  int (*function)(int) = g__pre;
  int (*table[2])(int);
  int x;
  char text[SIZE + 1] = "abc";
  char guessed[4];
  int size[] = { 1, 2, [5] = 3 };
  double vla[n][SIZE];
  const int limit;
  unsigned long int matrix[2][3], (*row)[3] = matrix;
  _Alignas(16) char aligned[3], other;
  n = function(limit) + (int)sizeof(vla) + size[5] + text[0] + guessed[0];
  table[0] = g__pre, x = aligned[0] + other + row[0][0];
)");
}

TEST(BodyWriter, WhatTheMainThreadCleansUpIsNotCleanedUpAgain) {
  EXPECT_EQ(bodyOf("static void drop(int *x) { *x = 0; }\n"
                   "#define AUTO __attribute__((cleanup(drop)))\n",
                   R"(
  AUTO int x = n;
  int y AUTO, z = 1; // no value
  n = x + y + z;
)"),
            R"(  int x = n;
  int y;
  int z;
  n = x + y + z;
)");
}

TEST(BodyWriter, TypesStayAndTypesWithoutANameGetOne) {
  EXPECT_EQ(bodyOf("", R"(
  struct pair { int a, b; } x = { 1, 2 },
                            unused; // out
  struct { int m; } y, *z = &y,
                        w; // out
  enum { RED, BLUE } colour = BLUE; // out
  typedef int number;
  union { int i; float f; } alone;
  struct point { int x, y; } at = { .y = 1 }; // no value
  struct { int m; } list[] = {{ 1 }, { 2 }}; // no value
  number k = sizeof(struct pair) + x.a + RED + z->m + (int)alone.i + at.x + list[1].m;
  n = k + ((struct pair){ .b = 3, .a = n }).b;
)"),
            R"(  struct pair { int a, b; };
  struct pair x = { 1, 2 };
  typedef struct { int m; } __forerun_type0;
  __forerun_type0 y;
  __forerun_type0 *z = &y;
  typedef enum { RED, BLUE } __forerun_type1;
  typedef int number;
  union { int i; float f; } alone;
  struct point { int x, y; } at;
  typedef struct { int m; } __forerun_type2;
  __forerun_type2 list[2];
  number k = sizeof(struct pair) + x.a + RED + z->m + (int)alone.i + at.x + list[1].m;
  n = k + ((struct pair){ .b = 3, .a = n }).b;
)");
}

TEST(BodyWriter, StaticAndExternVariablesKeepTheirMeaning) {
  EXPECT_EQ(bodyOf("int shared = 3;\n", R"(
  static int calls = 1;
  static int unused = 0; // out
  extern int shared;
  extern int errors(int);
  extern char **environ;
  calls++;
  n = shared + calls + (environ != 0) + errors(n);
)"),
            R"(  static int calls = 1;
  forerun_pre_lend(&calls, sizeof calls);
  extern int errors(int);
  extern char **environ;
  calls++;
  n = shared__pre + calls + (environ != 0) + errors(n);
)");
}

TEST(Declarations, PrivateCopiesAreDeclaredWithTheirOwnType) {
  auto result = emitted(R"(
#define N 4
static int a = 1, *b = &a;
int counts[] = { 1, 2, [4] = N };
struct list { struct list *next; int (*visit)(int); };
static int visit(int n);
static int (*const steps[2])(int) = { visit, visit };
static struct list last = { 0, visit }, first = { .next = &last, .visit = &visit };
static struct { int x; char name[3]; } unnamed = { 1, "ab" };
static _Alignas(32) double wide[N];
_Thread_local int mine = 2;
static int (*current)(int) = visit;
static int never;
static struct list *later;
static struct list **pointer = &later;
int tentative;
int tentative;
static int visit(int n) {
  first.next->next = &first;
  return b[0] + counts[n] + unnamed.x + (int)wide[0] + mine + current(n) + steps[0](n) + (*pointer)->visit(n);
}
)");
  for (const auto &problem : result.problems)
    ADD_FAILURE() << problem.message;
  EXPECT_TRUE(result.compiles) << result.clones();
  auto text = result.clones();
  EXPECT_THAT(text, HasSubstr(R"(static int visit__pre(int n) FORERUN_PRE_CLONE;
static int a__pre = 1;
static int *b__pre = &a__pre;
int counts__pre[5] = { 1, 2, [4] = N };
)"));
  EXPECT_THAT(text, HasSubstr(R"(static struct list last__pre = { 0, visit__pre };
static struct list first__pre = { .next = &last__pre, .visit = &visit__pre };
static __typeof__(unnamed) unnamed__pre = { 1, "ab" };
static double wide__pre[4] __attribute__((aligned(32)));
int mine__pre = 2;
static int (*current__pre)(int) = visit__pre;
static struct list *later__pre;
static struct list **pointer__pre = &later__pre;
int tentative__pre;
)"));
  EXPECT_THAT(text, HasSubstr("    {(void *)&wide__pre, sizeof wide__pre},\n"));
  EXPECT_THAT(text, Not(HasSubstr("never")));
}

TEST(Declarations, CopiesThatPointToEachOtherAreDeclaredFirst) {
  auto result = emitted(R"(
struct node { struct node *other; };
extern struct node second;
static struct node third;
static struct node *start = &third;
struct node first = { &second };
struct node second = { &first };
static struct node third = { &third };
struct node *f(void) { return start; }
)");
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(), HasSubstr(R"(static struct node third__pre;
static struct node *start__pre = &third__pre;
extern struct node second__pre;
struct node first__pre = { &second__pre };
struct node second__pre = { &first__pre };
static struct node third__pre = { &third__pre };
)"));
}

TEST(Declarations, ClonesKeepTheirParametersAndLoseWhatMustNotBeSaidTwice) {
  auto result = emitted(R"(
#include <stdarg.h>
#define API
__attribute__((constructor)) static void begin(int n[3], char *const *s) { (void)n; (void)s; }
static inline int small(register int a,
                        int b)
{
  return a + b;
}
API int exported(double m[], int (*f)(int, ...)) { return f(1, m[0]); }
inline int twice(int n) { return 2 * n; }
int old(a, b) int a; char *b; { return a + b[0]; }
static int later(int);
int later(int n) { return n; }
int many(int n, ...) { va_list l; va_start(l, n); va_end(l); return n; }
int vla(int n, double m[n][n]) { return m[0][0] > n; }
void use(void) { begin(0, 0); small(1, twice(2)); later(3); }
)");
  for (const auto &problem : result.problems)
    ADD_FAILURE() << problem.message;
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(),
              HasSubstr(R"(static void begin__pre(int n[3], char *const *s) FORERUN_PRE_CLONE;
static int small__pre(int a, int b) FORERUN_PRE_CLONE;
int exported__pre(double m[], int (*f)(int, ...)) FORERUN_PRE_CLONE;
int twice__pre(int n) FORERUN_PRE_CLONE;
int old__pre() FORERUN_PRE_CLONE;
static int later__pre(int n) FORERUN_PRE_CLONE;
int many__pre(int n, ...) FORERUN_PRE_CLONE;
int vla__pre(int n, double m[n][n]) FORERUN_PRE_CLONE;
void use__pre(void) FORERUN_PRE_CLONE;
)"));
  EXPECT_THAT(result.clones(),
              AllOf(HasSubstr("\nstatic void begin__pre(int n[3], char *const *s) {\n"),
                    HasSubstr("\nstatic inline int small__pre(register int a,\n"
                              "                        int b)\n{\n  return a + b;\n}\n"),
                    HasSubstr("\nint exported__pre(double m[], int (*f)(int, ...)) {\n"),
                    HasSubstr("\nint twice__pre(int n) {\n"),
                    HasSubstr("\nint old__pre(a, b) int a; char *b; {\n"),
                    Not(HasSubstr("constructor"))));
}

TEST(Declarations, MainsCloneHasParametersWhetherMainHasThemOrNot) {
  auto with = emitted("int main(int count, char *words[]) {\n  return words[count] == 0;\n}\n");
  EXPECT_TRUE(with.compiles);
  EXPECT_THAT(with.own(),
              HasSubstr("int main(int count, char *words[]) { "
                        "forerun_main_begin(count, words); forerun_main_without_mpi();\n"));
  EXPECT_THAT(with.clones(), HasSubstr("int main__pre(int count, char *words[]) {\n"
                                       "  return words[count] == 0;\n}\n"));
  auto without = emitted("int main(void)\n{\n  int argc = 1;\n  return argc;\n}\n");
  EXPECT_TRUE(without.compiles);
  EXPECT_THAT(without.own(), HasSubstr("int main(void)\n{ forerun_main_begin(0, (char **)0); "
                                       "forerun_main_without_mpi();\n  int argc = 1;\n"));
  EXPECT_THAT(without.clones(),
              HasSubstr("int main__pre(int __forerun_argc, char **__forerun_argv) {\n"
                        "  int argc = 1;\n"));
}

TEST(Declarations, MainsCloneHasTheEnvironmentThatMainIsGiven) {
  auto result = emitted("int main(int argc, char **argv, char *envp[])\n{\n"
                        "  return envp[0] == argv[argc];\n}\n");
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(), HasSubstr("int main__pre(int argc, char **argv) {\n"
                                         "  extern char **__environ;\n"
                                         "  char **envp = __environ;\n"
                                         "  return envp[0] == argv[argc];\n}\n"));
}

} // namespace
} // namespace forerun::slicer::testing
