// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Emit, WhatHasExternalLinkageIsSharedAndStaticsAreNot) {
  auto result = emitted(Files{{"a.c", R"(
#include "shared.h"
static int counter = 1;
static int next(void) { return counter++; }
int shared;
int f(int n) { return next() + g(n) + shared + table[n](n); }
)"},
                              {"b.c", R"(
#include "shared.h"
static int counter = 2;
static int next(void) { return counter--; }
int g(int n) { return next() + shared; }
int (*table[2])(int) = { g, f };
)"},
                              {"shared.h", "extern int shared;\nextern int (*table[])(int);\n"
                                           "int f(int n);\nint g(int);\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones("a.c"), HasSubstr(R"(static int next__pre(void) FORERUN_PRE_CLONE;
int f__pre(int n) FORERUN_PRE_CLONE;
int g__pre(int) FORERUN_PRE_CLONE;
extern int (*table__pre[])(int);
static int counter__pre = 1;
int shared__pre;
)"));
  EXPECT_THAT(result.clones("b.c"), HasSubstr(R"(static int next__pre(void) FORERUN_PRE_CLONE;
int g__pre(int n) FORERUN_PRE_CLONE;
int f__pre(int n) FORERUN_PRE_CLONE;
extern int shared__pre;
static int counter__pre = 2;
int (*table__pre[2])(int) = { g__pre, f__pre };
)"));
}

TEST(Emit, TheRuntimeIsToldWhereTheSitesAre) {
  auto result = emitted(Files{{"a.c", R"(#include <mpi.h>
#include "h.h"
void f(MPI_File fh, int *to) {
  get(fh, to);
  MPI_File_sync(fh);
  *to = input();
}
)"},
                              {"h.h", "static void get(MPI_File fh, int *to) {\n"
                                      "  MPI_File_read(fh, to, 1, MPI_INT, MPI_STATUS_IGNORE);\n"
                                      "}\n"
                                      "int input(void);\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones("a.c"),
              AllOf(HasSubstr("#line 2 \"h.h\"\n    {0, __LINE__, __FILE__, \"MPI_File_read\"},\n"),
                    HasSubstr("#line 5 \"a.c\"\n    {1, __LINE__, __FILE__, \"MPI_File_sync\"},\n"),
                    HasSubstr("#line 6 \"a.c\"\n    {2, __LINE__, __FILE__, \"input\"},\n"),
                    HasSubstr("forerun_main_know_places(&places);")));
}

TEST(Emit, AHeadersFunctionIsClonedInEachUnitThatCallsIt) {
  Files files{{"a.c", "#include \"h.h\"\nint f(int n) { return twice(n); }\n"},
              {"b.c", "#include \"h.h\"\nint g(int n) { return n; }\n"},
              {"h.h", "static inline int once(int n) { return n; }\n"
                      "static inline int twice(int n) { return once(n) + once(n); }\n"}};
  auto result = emitted(files);
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones("a.c"),
              AllOf(HasSubstr("\nstatic inline int twice__pre(int n) {\n"
                              "  return once__pre(n) + once__pre(n);\n}\n"),
                    HasSubstr("\nstatic inline int once__pre(int n) {\n  return n;\n}\n")));
  EXPECT_THAT(result.clones("b.c"), Not(HasSubstr("once")));
  EXPECT_EQ(result.texts.at("h.h"), files.at("h.h"));
}

TEST(Emit, WhatIsInsertedIsApartFromTheProgramsNames) {
  auto result = emitted(R"(#include <mpi.h>
#define count 100
#define site 3
#define bytes 4
#define size_t 5
#define int int
#define if(x) if ((x) && puts("if"))
struct option { int a; };
typedef struct { int place; } FILE;
int puts(const char *);
int getline(int line) { return line; }
#pragma GCC poison malloc va_list
static int other__pre;
int f(MPI_File fh, int *p, int n) {
  if (n)
    MPI_File_read(fh, p, 1, MPI_INT, MPI_STATUS_IGNORE);
  *p = getline(n) + other__pre++;
  return *p;
}
)");
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  const std::string &text = result.texts.at("a.c");
  EXPECT_THAT(text.substr(0, text.find("#line 1")), Not(HasSubstr("#include <")));
  EXPECT_THAT(result.clones(),
              AllOf(HasSubstr("#undef if\n#undef int\n"), HasSubstr("int f__pre2("),
                    HasSubstr("getline__pre2(n) + other__pre__pre2++")));
}

TEST(Emit, MacrosOfTheCommandLineAreSuspendedWhereTheRuntimeIsDeclared) {
  const std::string text =
      "#include <mpi.h>\nint f(MPI_File fh) { return MPI_File_sync(fh) + site; }\n";
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::createPhysicalFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  files->pushOverlay(memory);
  memory->addFile("/a.c", 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  const auto units =
      parse({commandFor("a.c", {"cc", "-Dsite=3", "-Dunused", "-isystem", FORERUN_TEST_MPI_INCLUDE},
                        "/")},
            files);
  if (!units)
    FAIL();
  Slice slice;
  slice.plans[callOf(*units, "MPI_File_sync")] = {CallPlan::Io{"MPI_File_sync"}, 0};
  std::vector<EmitProblem> problems;
  const auto texts = emitUnits(*units, slice, problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_THAT(texts.at(0),
              AllOf(StartsWith("#pragma push_macro(\"site\")\n#undef site\n"),
                    HasSubstr("#pragma pop_macro(\"site\")\n"), Not(HasSubstr("linux"))));
}

// GCC accepts no text before a byte order mark.
TEST(Emit, AByteOrderMarkStaysTheFirstOfItsFile) {
  auto result =
      emitted("\xEF\xBB\xBF#include <mpi.h>\nint f(MPI_File fh) { return MPI_File_sync(fh); }\n");
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.texts.at("a.c"), StartsWith("\xEF\xBB\xBFstruct "));
}

TEST(Emit, AStandInHasTheTypeOfWhatItStandsFor) {
  auto result = emitted("char *malloc();\nchar *f(int n) { return malloc(n); }\n");
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.clones(), HasSubstr("extern void *(forerun_pre_malloc)(unsigned long);\n"));
}

TEST(Emit, EachDefinitionOfAnInlineFunctionIsEditedAndOneIsCloned) {
  const std::string header =
      "#include <mpi.h>\ninline int f(MPI_File fh) { return MPI_File_sync(fh); }\n";
  auto result = emitted(Files{{"a.c", "#include \"h.h\"\nint g(MPI_File fh) { return f(fh); }\n"},
                              {"b.c", "#include \"h.h\"\nextern inline int f(MPI_File fh);\n"
                                      "int k(MPI_File fh) { return f(fh); }\n"},
                              {"h.h", header}},
                        [](const Units &units, Slice &slice) { // as the analysis takes the first
                          slice.plans.erase(callOf(units, "MPI_File_sync", 1));
                          slice.clones.erase(llvm::find_if(slice.clones, [&](const auto *each) {
                            return each->getName() == "f" &&
                                   &each->getASTContext() == &units.at(1).ast->getASTContext();
                          }));
                        });
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  for (const char *unit : {"a.c", "b.c"})
    EXPECT_THAT(result.own(unit), HasSubstr("return forerun_main_done(0, MPI_File_sync(fh));"))
        << unit;
  EXPECT_THAT(result.clones("a.c"), HasSubstr("\nint f__pre(MPI_File fh) {\n"));
  EXPECT_THAT(result.clones("b.c"), AllOf(HasSubstr("int f__pre(MPI_File fh) FORERUN_PRE_CLONE;"),
                                          Not(HasSubstr("f__pre(MPI_File fh) {"))));
}

TEST(Emit, TheStartMayBeInAnotherUnitThanMain) {
  auto result =
      emitted(Files{{"a.c", "void start(int *, char ***);\n"
                            "int main(int argc, char **argv) {\n  start(&argc, &argv);\n}\n"},
                    {"b.c", "#include <mpi.h>\n"
                            "void start(int *argc, char ***argv) {\n"
                            "  int level;\n"
                            "  MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &level);\n}\n"}});
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.texts.at("b.c"), HasSubstr("int main__pre(int, char **);\n#line 1 \"b.c\"\n"));
  EXPECT_THAT(result.texts.at("a.c"), Not(HasSubstr("int main__pre(int, char **);")));
  EXPECT_THAT(result.own("b.c"),
              AllOf(HasSubstr("  forerun_main_start(main__pre, 0, forerun_main_MPI_Init_thread("
                              "argc, argv, MPI_THREAD_SINGLE, &level));\n")));
}

} // namespace
} // namespace forerun::slicer::testing
