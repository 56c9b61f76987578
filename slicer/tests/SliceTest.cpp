// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "SlicedProgram.h"
#include "report/Summary.h"

#include <clang/AST/Decl.h>

/// \file
/// The analysis as a whole: data, calls, files.

namespace forerun::slicer::testing {
namespace {

TEST(Slice, WhatOffsetsDependOnIsInAndWhatIsComputedOnTheDataIsNot) {
  expectInMain(R"(
  long n = 4; // in
  double sum = 0;
  for (long i = 0; i < n; i++) { // in
    get(i * 64); // in
    sum += buf[0];
  }
  use(sum);
)");
}

TEST(Slice, AWriteThatIsReplacedBeforeItIsReadIsOut) {
  expectInMain(R"(
  long at = 1;
  at = 2; // in
  get(at); // in
  at = 3;
)");
}

TEST(Slice, OutParametersOfLibraryFunctionsGiveValues) {
  expectInMain(R"(
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // in
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  get(rank); // in
  use(size);
)");
}

TEST(Slice, FieldsOfAStructureAreToldApart) {
  expectInMain(R"(
  struct { long at; double sum; } s, *p = &s; // in
  p->at = 3; // in
  p->sum = 1;
  p->sum += buf[0];
  get(p->at); // in
)");
}

TEST(Slice, BitFieldsAreToldApart) {
  expectInMain(R"(
  struct { unsigned at : 5, sum : 3; } s;
  s.at = 3; // in
  s.sum = 1;
  s.sum += (unsigned)buf[0];
  get(s.at); // in
)");
}

TEST(Slice, OfASumOnlyTheCallIsInAlsoIfAnArgumentIsChosen) {
  expectInMain(R"(
  int rank = 0, size = 4; // in
  long sum = 0;
  sum += sumAt(size > 2 ? rank + 1 : rank); // in
  use(sum);
)",
               R"(
static long sumAt(long at) {
  long sum = 0;
  get(at); // in
  for (int i = 0; i < 8; i++)
    sum += (long)buf[i];
  return sum;
}
)");
}

TEST(Slice, ACallThatIsMadeUnderAConditionIsInWithThat) {
  expectInMain(R"(
  int isOn = 1; // in
  int all = isOn && look(3); // in
  use(all);
)",
               R"(
static int look(long at) {
  get(at); // in
  return 1;
}
)");
}

TEST(Slice, OfAStructureThatIsCopiedOnlyWhatIsNeededOfTheCopyIsIn) {
  expectInMain(R"(
  struct Cursor c = {0, 0}; // in
  struct Cursor d;
  for (int i = 0; i < 3; i++) { // in
    c = moved(c); // in
    get(c.at); // in
    c.sum = buf[0];
    d = noted(c); // in
    c = d; // in
  }
)",
               R"(
struct Cursor { long at; double sum; };
static struct Cursor moved(struct Cursor c) {
  c.at += 2; // in
  c.sum = 0;
  return c; // in
}
static struct Cursor noted(struct Cursor c) {
  for (int i = 0; i < 8; i++)
    c.sum += buf[i];
  return c; // in
}
)");
}

TEST(Slice, WhatIsReadIntoAnArrayReplacesWhatWasInItUnlessStrict) {
  const std::string body = R"(
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  long at[2] = {1, 2}; // in
  at[0] += 3; %s
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); // in
  MPI_File_read_at(fh, 0, at, 2, MPI_LONG, MPI_STATUS_IGNORE); // in
  get(at[0]); // in
  MPI_Finalize();
  return 0;
}
)";
  const auto with = [&](llvm::StringRef text, llvm::StringRef mark) {
    const auto [before, after] = text.split("%s");
    return (before + mark + after).str();
  };
  std::string relaxed = with(body, "");
  relaxed.replace(relaxed.find("{1, 2}; // in"), 13, "{1, 2};");
  expectSlice(relaxed);
  Closure::Options strict;
  strict.allowShortReads = true;
  expectSlice(with(body, "// in"), strict);
}

TEST(Slice, AReadForSeveralCallersIsAFetchOnlyForThoseThatNeedItsBytes) {
  const SlicedProgram program(std::string(kHead) + R"(
static void load(long at, void *to) {
  MPI_File_read_at(fh, at, to, 8, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void loadTwice(long at, long *to) {
  load(at, to);
  load(at + 8, to + 1);
}
int main(int argc, char **argv) {
  long head[2];
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  loadTwice(0, head);
  for (long i = 0; i < head[0]; i++)
    load(head[1] + i, buf);
  MPI_Finalize();
  return 0;
}
)");
  const Slice &full = program.slice();
  ASSERT_TRUE(full.leanSlice);
  std::map<std::string, std::vector<bool>> callsLean;
  for (const Call &call : program.analysis().program().calls)
    if (const CallPlan *plan = full.planOf(call.expr)) {
      if (const auto *clone = plan->as<CallPlan::Clone>())
        callsLean[call.name].push_back(clone->isLean);
      if (call.name == "MPI_File_read_at") {
        const CallPlan &lean = full.leanSlice->plans.at(call.expr);
        EXPECT_EQ(formOf(*plan), CallPlan::Io::Form::FetchAt);
        EXPECT_EQ(formOf(lean), CallPlan::Io::Form::ReadAt);
        EXPECT_EQ(lean.site, plan->site);
      }
    }
  EXPECT_EQ(callsLean["loadTwice"], std::vector{false});
  EXPECT_EQ(callsLean["load"], (std::vector{false, false, true}));
  EXPECT_EQ(full.lean.size(), 1U); // nothing calls loadTwice for what it announces
  std::string told;
  llvm::raw_string_ostream out(told);
  printSummary(summary(program.analysis(), program.units()), out);
  EXPECT_THAT(out.str(), ::testing::HasSubstr("blocking for some callers: these need the data"));
}

TEST(Slice, AReadOfWhichTheFunctionHandsOverTheBytesIsAFetchForAll) {
  const SlicedProgram program(std::string(kHead) + R"(
static long load(long at, long *to) {
  MPI_File_read_at(fh, at, to, 8, MPI_BYTE, MPI_STATUS_IGNORE);
  get(*to);
  return at;
}
int main(int argc, char **argv) {
  long next, last;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  load(0, &next);
  load(next, &last);
  MPI_Finalize();
  return 0;
}
)");
  EXPECT_TRUE(program.slice().lean.empty());
}

TEST(Slice, WhatALibraryFunctionCallsBackIsInWithItEvenIfItsResultIsNotUsed) {
  expectInMain(R"(
  long order[4] = {3, 1, 2, 0}, keys[4] = {5, 9, 7, 8}; // in
  table = keys; // in
  qsort(order, 4, sizeof *order, byKey); // in
  get(order[1]); // in
)",
               R"(static const long *table;
static int byKey(const void *a, const void *b) {
  const long *x = a, *y = b; // in
  return (table[*x] > table[*y]) - (table[*x] < table[*y]); // in
}
)");
}

TEST(Slice, HeapIsToldApartByWhereItIsAllocated) {
  expectInMain(R"(
  long *a = malloc(80); // in
  double *b = malloc(80);
  a[1] = 7; // in
  b[1] = buf[1];
  get(a[0]); // in
  use(b[0]);
)");
}

TEST(Slice, ACallWhoseResultIsNotNeededLeavesNothingBehind) {
  expectInMain(R"(
  double x = work(3);
  long y = offset(5); // in
  get(y); // in
  use(x + work(2));
)",
               R"(
static double work(int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}
static long offset(long n) {
  long unused = n * 3;
  use((double)unused);
  return n * 2; // in
}
)");
}

TEST(Slice, ACallThatMakesAReadIsTakenOutOfTheStatementItStandsIn) {
  expectInMain(R"(
  double total = 0;
  total += load(5); // in
  use(total);
)",
               R"(
static double load(long at) {
  double r = 0;
  get(at); // in
  for (int i = 0; i < 8; i++)
    r += buf[i];
  return r;
}
)");
}

TEST(Slice, OnlyCallsThatAreNeededAreInWhateverTheirFunctionDoes) {
  expectInMain(R"(
  long a, b;
  set(&a, 1); // in
  set(&b, 2);
  get(a); // in
  use((double)b);
)",
               R"(
static void set(long *to, long value) {
  *to = value; // in
}
)");
}

TEST(Slice, BytesThatSayWhereToReadNextAreFetched) {
  const SlicedProgram program(std::string(kHead) + R"(
int main(void) {
  MPI_Init(0, 0);
  long at = 0;
  while (at >= 0) {
    MPI_File_read_at(fh, at, &at, 1, MPI_LONG, MPI_STATUS_IGNORE);
    get(at + 8);
  }
  MPI_Finalize();
}
)");
  int fetched = 0, announced = 0;
  for (const auto &[call, plan] : program.slice().plans) {
    fetched += formOf(plan) == CallPlan::Io::Form::FetchAt;
    announced += formOf(plan) == CallPlan::Io::Form::ReadAt;
  }
  EXPECT_EQ(fetched, 1);
  EXPECT_EQ(announced, 1);
}

TEST(Slice, CallsThroughTablesOfFunctionsAreFollowed) {
  expectInMain(R"(
  const struct backend *b = &backends[argc % 2]; // in
  b->read(b->base); // in
)",
               R"(
static void near(long at) {
  get(at); // in
}
static void far(long at) {
  get(at + 1000); // in
}
static const struct backend { void (*read)(long); long base; } backends[] = {{near, 1}, {far, 2}};
)");
}

TEST(Slice, HiddenStateGoesFromCallToCall) {
  expectInMain(R"(
  srand(3); // in
  int noise = rand(); // in
  use(noise);
  get(rand()); // in
  use(random());
)");
}

TEST(Slice, WhereAnOpenMayHaveMovedTheGeneratorsNothingBeforeItCounts) {
  expectInMain(R"(
  MPI_File other;
  srand(3);
  use(rand());
  MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &other); // in
  use(rand()); // in
  get(rand()); // in
)");
}

TEST(Slice, VariableArgumentsAreValues) {
  expectInMain(R"(
  long a = 3, b = 4; // in
  many(2, a, b); // in
)",
               R"(
static void many(int n, ...) {
  va_list list;
  va_start(list, n); // in
  for (int i = 0; i < n; i++) // in
    get(va_arg(list, long)); // in
  va_end(list);
}
)");
}

TEST(Slice, MemoryThatIsCopiedBringsItsValues) {
  expectInMain(R"(
  struct { long at, other; } from, to;
  from.at = 3; // in
  memcpy(&to, &from, sizeof to); // in
  get(to.at); // in
)");
}

TEST(Slice, WhatATypeOfTheFunctionNamesIsDeclaredWithIt) {
  const SlicedProgram program(std::string(kHead) + R"(
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  int size = 3;
  __typeof__(size) row[4];
  enum { kRows = sizeof row / sizeof *row };
  for (int i = 0; i < kRows; i++)
    get(i);
  use(row[0] = size);
  return MPI_Finalize();
}
)");
  std::vector<std::string> locals;
  for (const clang::VarDecl *each : program.slice().locals)
    locals.push_back(each->getNameAsString());
  EXPECT_THAT(locals, ::testing::UnorderedElementsAre("at", "size", "row", "i"));
}

TEST(Slice, RecursionIsFollowed) {
  expectInMain("  walk(argc); // in\n", R"(
static void walk(long n) {
  if (n <= 0) // in
    return; // in
  get(n); // in
  walk(n - 1); // in
  use((double)n);
}
)");
}

TEST(Slice, WritesThatNoReadFollowsAreOut) {
  expectInMain(R"(
  get(1); // in
  for (int i = 0; i < 9; i++)
    MPI_File_write_at(fh, i, buf, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
)");
}

TEST(Slice, WritesBeforeAReadAreIn) {
  expectInMain(R"(
  for (int i = 0; i < 9; i++) // in
    MPI_File_write_at(fh, i, buf, 1, MPI_DOUBLE, MPI_STATUS_IGNORE); // in
  get(1); // in
)");
}

TEST(Slice, AFileThatIsOnlyWrittenIsOut) {
  expectInMain(R"(
  MPI_File out;
  MPI_File_open(MPI_COMM_WORLD, "g", MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
  for (int i = 0; i < 9; i++) { // in
    get(i); // in
    MPI_File_write_at(out, i, buf, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&out);
)");
}

TEST(Slice, AProgramWithoutReadsHasNone) {
  const SlicedProgram program("#include <mpi.h>\nint main(void) { MPI_Init(0, 0); "
                              "MPI_Finalize(); return 0; }\n");
  EXPECT_EQ(program.slice().main, nullptr);
}

TEST(Slice, FunctionsAndGlobalsOfOtherUnitsAreLinked) {
  const SlicedProgram program(
      Files{{"a.c", "#include <mpi.h>\nextern long base; long where(long);\nint main(void) {\n"
                    "  MPI_File fh; double d;\n  MPI_Init(0, 0);\n"
                    "  MPI_File_open(MPI_COMM_WORLD, \"f\", 2, MPI_INFO_NULL, &fh);\n"
                    "  base = 5;\n"
                    "  MPI_File_read_at(fh, where(2), &d, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);\n"
                    "  MPI_Finalize();\n}\n"},
            {"b.c", "long base = 3; static long other;\n"
                    "long where(long n) { other = n; return base + n; }\n"}});
  EXPECT_EQ(program.slice().clones.size(), 2U);   // main, where
  EXPECT_EQ(program.slice().privates.size(), 1U); // base
}

TEST(Slice, EachCallOfTheProgramsOwnAllocatorGivesMemoryOfItsOwn) {
  expectInMain("  long *at = fresh(8); // in\n  long *other = fresh(argc);\n"
               "  at[0] = argc; // in\n  other[0] = 3;\n  use(other[0]);\n  get(at[0]); // in\n",
               "static void *fresh(size_t n) {\n  void *p = malloc(n); // in\n"
               "  if (!p) // in\n    exit(1); // in\n  return p; // in\n}\n");
}

TEST(Slice, WhatTheAllocatorLeavesInTheMemoryThatItGivesIsNeeded) {
  expectInMain("  long *at = fresh(8); // in\n  get(at[0]); // in\n",
               "static void *fresh(size_t n) {\n  void *p = malloc(n); // in\n"
               "  memset(p, 0, n); // in\n  return p; // in\n}\n");
}

TEST(Slice, AFunctionThatKeepsWhatItGivesIsNoAllocator) {
  expectInMain("  long *at = kept(8); // in\n  long *other = kept(8); // in\n"
               "  other[0] = argc; // in\n  get(at[0]); // in\n",
               "static void *last;\nstatic void *kept(size_t n) {\n"
               "  if (!last) // in\n    last = malloc(n); // in\n  return last; // in\n}\n");
}

TEST(Slice, WhatIsDoneWithAStreamTouchesNothingElse) {
  expectInMain("  long n = argc; // in\n  FILE *log = fopen(\"log\", \"w\"); // in\n"
               "  void *all[2]; all[0] = log; all[1] = &n; // in\n"
               "  fprintf(all[argc > 1], \"%ld\", n);\n  get(*(long *)all[1]); // in\n");
}

TEST(Slice, AReadOfWhichOnlyTheStatusIsNeededBringsNoBytes) {
  const SlicedProgram program(std::string(kHead) +
                              "int main(int argc, char **argv) {\n  MPI_Status s; int n, m;\n"
                              "  MPI_Init(&argc, &argv);\n"
                              "  MPI_File_open(MPI_COMM_WORLD, \"f\", 2, MPI_INFO_NULL, &fh);\n"
                              "  MPI_File_read_at(fh, 0, buf, 8, MPI_INT, &s);\n"
                              "  MPI_Get_count(&s, MPI_INT, &n);\n"
                              "  MPI_File_read_at(fh, n, &m, 1, MPI_INT, &s);\n  get(m);\n"
                              "  MPI_Finalize();\n}\n");
  std::vector<std::pair<CallPlan::Io::Form, bool>> reads;
  for (const Call &call : program.analysis().program().calls)
    if (call.name == "MPI_File_read_at")
      if (const auto *io = program.slice().plans.at(call.expr).as<CallPlan::Io>())
        reads.emplace_back(io->form, io->countOnly);
  using ::testing::Pair;
  EXPECT_THAT(reads, ::testing::ElementsAre(Pair(CallPlan::Io::Form::ReadAt, ::testing::_),
                                            Pair(CallPlan::Io::Form::FetchAt, true),
                                            Pair(CallPlan::Io::Form::FetchAt, false)));
}

TEST(Slice, AReadWithALargeCountIsARead) {
  expectInMain("  MPI_Count n = argc; // in\n"
               "  MPI_File_read_at_c(fh, 0, buf, n, MPI_DOUBLE, MPI_STATUS_IGNORE); // in\n");
}

TEST(Slice, AComputedGotoMayLeadToEachLabelWhoseAddressIsTaken) {
  expectInMain("  static void *const to[] = {&&one, &&two};\n"
               "  long at = 8; // in\n  goto *to[argc]; // in\n"
               "one: at += 8; // in\n  get(at); // in\ntwo: use(at);\n");
}

TEST(Slice, AFunctionNamedAsOneOfALibrarysThatNeverReturnsIsTheProgramsOwn) {
  expectInMain(R"(
  long at = argc; // in
  err(use(1));
  get(at); // in
)",
               R"(
static void err(int code) {
  if (code)
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define use(x) (use(x), 0)
)");
}

TEST(Slice, AFunctionNamedSoIsAlsoTheProgramsOwnIfAnotherUnitDefinesIt) {
  const SlicedProgram program(Files{{"a.c", std::string(kHead) + R"(
void err(int code);
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  err(MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
  get(argc);
  return 0;
}
)"},
                                    {"b.c", R"(#include <mpi.h>
void err(int code) {
  if (code)
    MPI_Abort(MPI_COMM_WORLD, 1);
}
)"}});
  const CallPlan *open = program.planOf("MPI_File_open");
  ASSERT_TRUE(open);
  EXPECT_TRUE(open->is<CallPlan::Io>());
}

} // namespace
} // namespace forerun::slicer::testing
