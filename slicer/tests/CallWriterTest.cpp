// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Io = CallPlan::Io;
using Receive = CallPlan::Receive;
using Size = Forwarded::Size;

std::string clonesOf(const std::string &text, const Amend &amend = {}) {
  auto result = emitted(text, amend);
  for (const auto &problem : result.problems)
    return "problem: " + problem.message;
  return (result.compiles ? "" : "does not compile:\n") + result.clones();
}

constexpr const char *kMpi = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n";

TEST(CallWriter, EveryFormOfReadTakesItsArgumentsFromTheirPlacesInTheCall) {
  auto text = clonesOf(std::string(kMpi) + R"(
void f(MPI_File fh, MPI_Offset off, char *buf, int n, MPI_Status *status, MPI_Request *request) {
  MPI_File_read_at(fh, off, buf, n, MPI_INT, status);
  MPI_File_read_at_all(fh, 1, buf, n, MPI_INT, status);
  MPI_File_iread_at(fh, 2, buf, n, MPI_INT, request);
  MPI_File_read_at_all_begin(fh, 3, buf, n, MPI_INT);
  MPI_File_read(fh, buf, 4, MPI_INT, status);
  MPI_File_read_ordered(fh, buf, 5, MPI_INT, status);
  MPI_File_read_shared(fh, buf, 6, MPI_INT, status);
  MPI_File_iread(fh, buf, 7, MPI_INT, request);
  MPI_File_read_all_begin(fh, buf, 8, MPI_INT);
  MPI_File_read_all_end(fh, buf, status);
}
)");
  EXPECT_THAT(text, HasSubstr("  forerun_pre_read_at(0, fh, off, n, MPI_INT);\n"
                              "  forerun_pre_read_at(1, fh, 1, n, MPI_INT);\n"
                              "  forerun_pre_read_at(2, fh, 2, n, MPI_INT);\n"
                              "  forerun_pre_read_at(3, fh, 3, n, MPI_INT);\n"
                              "  forerun_pre_read(4, fh, 4, MPI_INT);\n"
                              "  forerun_pre_read(5, fh, 5, MPI_INT);\n"
                              "  forerun_pre_read(6, fh, 6, MPI_INT);\n"
                              "  forerun_pre_read(7, fh, 7, MPI_INT);\n"
                              "  forerun_pre_read(8, fh, 8, MPI_INT);\n"
                              "  forerun_pre_sync_file(9);\n"));
}

TEST(CallWriter, ACallOfWhichNothingIsNeededIsOneOfTheLeanClone) {
  auto text = clonesOf(std::string(kMpi) + R"(
static void load(MPI_File fh, MPI_Offset at, void *to) {
  MPI_File_read_at(fh, at, to, 8, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void twice(MPI_File fh, long *to) {
  load(fh, 0, to);
}
void f(MPI_File fh, long *head, double *data) {
  twice(fh, head);
  load(fh, head[0], data);
}
)",
                       [](const Units &units, Slice &slice) {
                         slice.leanSlice = std::make_shared<const Slice>(slice);
                         for (const auto *each : slice.clones)
                           if (each->getName() != "f")
                             slice.lean.insert(each);
                         actionOf<Io>(units, slice, "MPI_File_read_at").form = Io::Form::FetchAt;
                         actionOf<CallPlan::Clone>(units, slice, "load", 1).isLean = true;
                       });
  EXPECT_THAT(text, AllOf(HasSubstr("load__pre(MPI_File fh, MPI_Offset at, void *to) {\n"
                                    "  forerun_pre_fetch_at("),
                          HasSubstr("load__pre_lean(MPI_File fh, MPI_Offset at, void *to) {\n"
                                    "  forerun_pre_read_at("),
                          HasSubstr("twice__pre(MPI_File fh, long *to) {\n"
                                    "  load__pre(fh, 0, to)"),
                          HasSubstr("twice__pre_lean(MPI_File fh, long *to) {\n"
                                    "  load__pre_lean(fh, 0, to)"),
                          HasSubstr("twice__pre(fh, head)"),
                          HasSubstr("load__pre_lean(fh, head[0], data)")));
}

TEST(CallWriter, WritesSeeksViewsOpensAndSynchronisationHaveTheirForms) {
  auto text = clonesOf(std::string(kMpi) + R"(
void f(MPI_File fh, MPI_Offset off, char *buf, int n) {
  int rc;
  if ((rc = MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh)) != MPI_SUCCESS)
    exit(rc);
  MPI_File_set_view(fh, off, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_at(fh, off, buf, n, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_shared(fh, buf, n, MPI_INT, (MPI_Request *)buf);
  MPI_File_seek(fh, off, MPI_SEEK_SET);
  MPI_File_seek_shared(fh, off, MPI_SEEK_CUR);
  MPI_File_set_size(fh, 0);
  MPI_File_close(&fh);
}
)");
  EXPECT_THAT(text, HasSubstr(R"(  if ((rc = forerun_pre_open_file(0, &fh)) != MPI_SUCCESS)
    forerun_pre_exit();
  forerun_pre_set_view(1, fh, off, MPI_INT, MPI_INT, "native");
  forerun_pre_write_at(2, fh, off, n, MPI_INT);
  forerun_pre_write(3, fh, n, MPI_INT);
  forerun_pre_seek(4, fh, off, MPI_SEEK_SET);
  forerun_pre_seek(5, fh, off, MPI_SEEK_CUR);
  forerun_pre_sync_file(6);
  forerun_pre_sync_file(7);
)"));
}

TEST(CallWriter, ThePointerTellsWhichFunctionOfMpiIoACallIs) {
  const std::string text = std::string(kMpi) + R"(
typedef int (*Call)(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
typedef void (*Quiet)(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
void f(MPI_File fh, int *buf, Call one, Quiet other) {
  one(fh, buf, 4, MPI_INT, MPI_STATUS_IGNORE);
  (*other)(fh, buf, 5, MPI_INT, MPI_STATUS_IGNORE);
}
)";
  const auto made = emitted(text, [](const Units &, Slice &slice) {
    for (auto &[call, plan] : slice.plans)
      plan = {.action = CallPlan::Choose{.orClone = call->getType()->isIntegerType()},
              .site = slice.sites++,
              .choices = {{"MPI_File_read", Io{"MPI_File_read", Io::Form::Read}},
                          {"MPI_File_write", Io{"MPI_File_write", Io::Form::Write}}}};
  });
  EXPECT_TRUE(made.compiles);
  EXPECT_THAT(
      made.clones(),
      AllOf(HasSubstr("__auto_type __forerun_called = one; "),
            HasSubstr("(void (*)(void))__forerun_called == (void (*)(void))MPI_File_read ? "
                      "(int)forerun_pre_read("),
            HasSubstr("(void (*)(void))MPI_File_write ? (int)forerun_pre_write("),
            HasSubstr("__forerun_called(fh, buf, 4, MPI_INT, MPI_STATUS_IGNORE)"),
            HasSubstr("__auto_type __forerun_called = (*other); "),
            HasSubstr("(void)forerun_pre_write("),
            HasSubstr("(forerun_pre_end(\"it reached line 9 of a.c, where it cannot go on\"), "
                      "((void)0))")));
  EXPECT_THAT(made.own(), AllOf(HasSubstr(", one(fh, buf, 4, MPI_INT, MPI_STATUS_IGNORE));"),
                                HasSubstr("__extension__({ (*other)(fh, buf, 5, MPI_INT, "
                                          "MPI_STATUS_IGNORE); forerun_main_done(")));
}

TEST(CallWriter, AWriteWhoseStatusIsNeededHasWrittenAll) {
  auto text = clonesOf(std::string(kMpi) + R"(
void f(MPI_File fh, int *buf, int n, MPI_Status *status) {
  MPI_File_write_at(fh, 8, buf, n, MPI_INT, status);
}
)",
                       [](const Units &units, Slice &slice) {
                         planOf(units, slice, "MPI_File_write_at").kept = {true, true, false,
                                                                           true, true, true};
                       });
  EXPECT_THAT(text, HasSubstr("forerun_pre_wrote(forerun_pre_write_at(0, fh, 8, n, MPI_INT), n, "
                              "MPI_INT, status);"));
}

TEST(CallWriter, AFetchHasTheStatusOnlyIfItIsNeeded) {
  auto text = clonesOf(std::string(kMpi) + R"(
void f(MPI_File fh, int *buf, int n, MPI_Status *status, MPI_Request *request) {
  MPI_File_read(fh, buf, n, MPI_INT, status);
  MPI_File_read_at(fh, 0, buf + 1, n, MPI_INT, status);
  MPI_File_iread_at(fh, 8, buf, n, MPI_INT, request);
}
)",
                       [](const Units &units, Slice &slice) {
                         actionOf<Io>(units, slice, "MPI_File_read").form = Io::Form::Fetch;
                         actionOf<Io>(units, slice, "MPI_File_read_at").form = Io::Form::FetchAt;
                         planOf(units, slice, "MPI_File_read_at").kept = {true, true, true,
                                                                          true, true, false};
                         actionOf<Io>(units, slice, "MPI_File_iread_at").form = Io::Form::FetchAt;
                       });
  EXPECT_THAT(
      text, HasSubstr("  forerun_pre_fetch(0, fh, buf, n, MPI_INT, status);\n"
                      "  forerun_pre_fetch_at(1, fh, 0, buf + 1, n, MPI_INT, MPI_STATUS_IGNORE);\n"
                      "  forerun_pre_fetch_at(2, fh, 8, buf, n, MPI_INT, MPI_STATUS_IGNORE);\n"));
}

TEST(CallWriter, AnArgumentThatIsKeptForItsEffectsIsEvaluated) {
  auto text = clonesOf(std::string(kMpi) + R"(
void f(MPI_File fh, int *buf, int n) {
  MPI_File_read(fh, buf++, n, MPI_INT, MPI_STATUS_IGNORE);
  n = printf("%d", n++) ? 1 : 2;
}
)",
                       [](const Units &units, Slice &slice) {
                         auto &read = planOf(units, slice, "MPI_File_read");
                         read.kept = {true, true, true, true, false};
                         planOf(units, slice, "printf").kept = {false, true};
                       });
  EXPECT_THAT(text, HasSubstr("  ((void)(buf++), forerun_pre_read(0, fh, n, MPI_INT));\n"
                              "  n = ((void)(n++), (int)0) ? 1 : 2;\n"));
}

TEST(CallWriter, ArgumentsThatTheCloneDoesNotNeedAreNotEvaluated) {
  auto text = clonesOf(std::string(kMpi) + R"(
struct pair { double a, b; };
static int g(int n, struct pair p, double x, const char *s) { return n; }
static int v(int n, ...) { return n; }
int f(int n, struct pair p) {
  return g(n + 1, p, 3.5,
           "text") + v(n, 2.5, n);
}
)",
                       [](const Units &units, Slice &slice) {
                         planOf(units, slice, "g").kept = {true, false, false, false};
                         planOf(units, slice, "v").kept = {true, false, true};
                       });
  EXPECT_THAT(text,
              HasSubstr("return g__pre(n + 1, (struct pair){0}, 0, 0) + v__pre(n, (double)0, n);"));
}

TEST(CallWriter, StandInsTakeTheNameAndKeepTheArguments) {
  auto text = clonesOf(std::string(kMpi) + R"(
int *table;
static int size(int n) { return n; }
void f(int n) {
  table = malloc(size(n) * sizeof *table);
}
)");
  EXPECT_THAT(text,
              HasSubstr("  table__pre = forerun_pre_malloc(size__pre(n) * sizeof *table__pre);\n"));
}

TEST(CallWriter, CallsThatAreNotNeededAreReplacedByAValue) {
  auto text = clonesOf(std::string(kMpi) + R"(
static void nothing(void);
int f(int n) {
  printf("gone");
  n = 1, printf("%d", n);
  return n ? n : (exit(1), nothing(), 3);
}
)",
                       [](const Units &units, Slice &slice) {
                         planOf(units, slice, "nothing").action = CallPlan::Gone{};
                       });
  EXPECT_THAT(text, HasSubstr("int f__pre(int n) {\n"
                              "  n = 1, (int)0;\n"
                              "  return n ? n : (forerun_pre_exit(), ((void)0), 3);\n}"));
}

TEST(CallWriter, WhatTheMainThreadForwardsIsReceivedInItsOrder) {
  auto result =
      emitted(std::string(kMpi) + R"(
int input(int *a, char *line, double values[4]);
char *inputText(void);
void inputTyped(void *buf, int n, MPI_Datatype type);
int inputType(int n, MPI_Datatype *made);
void f(int n, char *line) {
  int a;
  double values[4];
  MPI_Datatype made;
  n = input(&a, line, values);
  line = inputText();
  inputTyped(values, n + 1, MPI_DOUBLE);
  if (inputType(n, &made) != MPI_SUCCESS)
    return;
}
)",
              [](const Units &units, Slice &slice) {
                actionOf<Receive>(units, slice, "input").forwarded = {
                    {0, Size::Pointee}, {}, {2, Size::Array}, {1, Size::Text}};
                actionOf<Receive>(units, slice, "inputText").forwarded = {{-1, Size::Text}};
                actionOf<Receive>(units, slice, "inputTyped").forwarded = {{0, Size::Typed, 1, 2}};
                actionOf<Receive>(units, slice, "inputType").forwarded = {{1, Size::Datatype}};
              });
  EXPECT_TRUE(result.compiles);
  EXPECT_TRUE(result.problems.empty());
  EXPECT_THAT(
      result.own(),
      HasSubstr("  n = __extension__({ void *__forerun_argument1 = (void *)(line); "
                "__auto_type __forerun_value = input(&a, line, values); "
                "forerun_main_forward(0, &a, sizeof *(&a)); "
                "forerun_main_forward(0, &__forerun_value, sizeof __forerun_value); "
                "forerun_main_forward(0, values, sizeof(values)); "
                "forerun_main_forward_text(0, __forerun_argument1); __forerun_value; });\n"
                "  line = __extension__({ __auto_type __forerun_value = inputText(); "
                "forerun_main_forward_text(1, __forerun_value); __forerun_value; });\n"
                "  __extension__({ __auto_type __forerun_argument1 = +(n + 1); "
                "inputTyped(values, n + 1, MPI_DOUBLE); "
                "forerun_main_forward_typed(2, values, __forerun_argument1, MPI_DOUBLE); "
                "(void)0; });\n"
                "  if (__extension__({ __auto_type __forerun_value = inputType(n, &made); "
                "forerun_main_forward_type(3, &made); __forerun_value; }) != MPI_SUCCESS)\n"));
  EXPECT_THAT(
      result.clones(),
      HasSubstr(
          "  n = __extension__({ void *__forerun_argument1 = (void *)(line); int __forerun_value; "
          "forerun_pre_receive(0, &a, sizeof *(&a)); "
          "forerun_pre_receive(0, &__forerun_value, sizeof __forerun_value); "
          "forerun_pre_receive(0, values, sizeof(values)); "
          "forerun_pre_strcpy(__forerun_argument1, forerun_pre_receive_text(0)); __forerun_value; "
          "});\n"
          "  line = __extension__({ char *__forerun_value; "
          "__forerun_value = forerun_pre_receive_text(1); __forerun_value; });\n"
          "  __extension__({ forerun_pre_receive(2, values, (__forerun_size)-1); ((void)0); });\n"
          "  if (__extension__({ forerun_pre_receive_type(3, &made); (int)0; }) != "
          "MPI_SUCCESS)\n"));
}

TEST(CallWriter, WhatSeveralProcessesSendIsHandedOverInFull) {
  auto result = emitted(
      R"(#include <mpi.h>
void inputAll(int *values, int n, MPI_Datatype type, int root, MPI_Comm comm);
void inputParts(int *values, const int *n, const int *at, MPI_Datatype type, MPI_Comm comm);
void inputSome(double *values, int n);
void f(int *all, int *n, int *at, double *some) {
  inputAll(all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  inputParts(all, n, at, MPI_INT, MPI_COMM_WORLD);
  inputSome(some, n[0]);
}
)",
      [](const Units &units, Slice &slice) {
        Forwarded atRoot{.argument = 0, .size = Size::Typed, .count = 1, .datatype = 2};
        atRoot.communicator = atRoot.rootIn = 4;
        atRoot.root = 3;
        actionOf<Receive>(units, slice, "inputAll").forwarded = {atRoot};
        actionOf<Receive>(units, slice, "inputParts").forwarded = {{.argument = 0,
                                                                    .size = Size::Spread,
                                                                    .count = 1,
                                                                    .datatype = 3,
                                                                    .displacements = 2,
                                                                    .communicator = 4}};
        actionOf<Receive>(units, slice, "inputSome").forwarded = {
            {.argument = 0, .size = Size::Counted, .count = 1, .elementBytes = 8}};
      });
  EXPECT_TRUE(result.compiles);
  EXPECT_TRUE(result.problems.empty());
  EXPECT_THAT(
      result.own(),
      AllOf(
          HasSubstr("forerun_main_forward_typed(0, __forerun_argument0, forerun_main_count_at_root("
                    "forerun_main_count_of_all(2, MPI_COMM_WORLD), 0, MPI_COMM_WORLD), "
                    "MPI_INT); "),
          HasSubstr(
              "forerun_main_forward_spread(1, __forerun_argument0, forerun_main_count_of_all(1, "
              "MPI_COMM_WORLD), __forerun_argument1, __forerun_argument2, MPI_INT); "),
          HasSubstr("forerun_main_forward(2, __forerun_argument0, 8 * "
                    "(__forerun_size)(__forerun_argument1)); ")));
  EXPECT_THAT(
      result.clones(),
      AllOf(HasSubstr("forerun_pre_receive(0, __forerun_argument0, (__forerun_size)-1); "),
            HasSubstr("forerun_pre_receive(1, __forerun_argument0, (__forerun_size)-1); "),
            HasSubstr("forerun_pre_receive(2, __forerun_argument0, (__forerun_size)-1); ")));
}

TEST(CallWriter, ACountOfSomeBitsIsKeptBeforeTheCall) {
  auto result = emitted(
      R"(
#include <mpi.h>
struct counts { int n : 5; };
void inputSome(double *values, int n);
void f(struct counts *counts, double *some) { inputSome(some, counts->n); }
)",
      [](const Units &units, Slice &slice) {
        actionOf<Receive>(units, slice, "inputSome").forwarded = {
            {.argument = 0, .size = Size::Counted, .count = 1, .elementBytes = 8}};
      });
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(result.own(), HasSubstr("__auto_type __forerun_argument1 = +(counts->n); "));
}

TEST(CallWriter, FunctionsAreClonesWhereTheirAddressIsTaken) {
  auto text = clonesOf(R"(
static int twice(int n) { return 2 * n; }
static int call(int (*function)(int), int n) { return function(n); }
static int (*choose(int n))(int) { return n ? &twice : twice; }
int f(int n) { return call(twice, choose(n)(n)); }
)");
  EXPECT_THAT(text, AllOf(HasSubstr("static int (*choose__pre(int n))(int) FORERUN_PRE_CLONE;\n"),
                          HasSubstr("return n ? &twice__pre : twice__pre;"),
                          HasSubstr("return call__pre(twice__pre, choose__pre(n)(n));")));
}

TEST(CallWriter, ACallInAMacroIsExpandedWithItsReplacement) {
  auto text = clonesOf(std::string(kMpi) + R"(
static MPI_File fh;
static int count = 3;
#define READ(b) MPI_File_read(fh, b, count, MPI_INT, MPI_STATUS_IGNORE)
#define CHECK(call) do { if ((call) != MPI_SUCCESS) exit(1); } while (0)
#define COUNT (count + 1)
void f(int *buf) {
  if (READ(buf) != MPI_SUCCESS)
    return;
  CHECK(MPI_File_read(fh, buf, COUNT, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(READ(buf + 1));
}
)");
  EXPECT_THAT(text,
              AllOf(HasSubstr("if (forerun_pre_read(0, fh__pre, count__pre, "),
                    HasSubstr("if ((forerun_pre_read(1, fh__pre, (count__pre + 1), MPI_INT)) != "),
                    HasSubstr("if ((forerun_pre_read(2, fh__pre, count__pre, "),
                    Not(HasSubstr("MPI_File_read("))));
}

TEST(CallWriter, OfAnExchangeOnlyWhatDidNotComeThatWayIsReceived) {
  auto result =
      emitted(std::string(kMpi) + R"(
int f(long *at, int to) {
  MPI_Request request;
  MPI_Isend(at, 1, MPI_LONG, to, 5, MPI_COMM_WORLD, &request);
  return MPI_Bcast(at, 1, MPI_LONG, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  long at;
  MPI_Init(&argc, &argv);
  f(&at, 0);
  return 0;
}
)",
              [](const Units &units, Slice &slice) {
                slice.exchanges = true;
                Receive send{{{.size = Size::Nothing}}};
                send.exchange = {"forerun_pre_MPI_Send", 6};
                planOf(units, slice, "MPI_Isend") = {send, 7};
                Receive bcast{
                    {Forwarded(), {.argument = 0, .size = Size::Typed, .count = 1, .datatype = 2}}};
                bcast.exchange = {"forerun_pre_MPI_Bcast", 5};
                planOf(units, slice, "MPI_Bcast") = {bcast, 8};
              });
  EXPECT_TRUE(result.problems.empty());
  EXPECT_TRUE(result.compiles);
  EXPECT_THAT(
      result.clones(),
      AllOf(HasSubstr("if (!forerun_pre_MPI_Send(7, 1, at, 1, MPI_LONG, to, 5, MPI_COMM_WORLD)) { "
                      "forerun_pre_receive(7, 0, 0); } "),
            HasSubstr("if (!forerun_pre_MPI_Bcast(8, 2, at, 1, MPI_LONG, 0, MPI_COMM_WORLD)) { "
                      "forerun_pre_receive(8, &__forerun_value, sizeof __forerun_value); "
                      "forerun_pre_receive(8, __forerun_argument0, (__forerun_size)-1); } "
                      "else __forerun_value = MPI_SUCCESS; __forerun_value; })")));
  EXPECT_THAT(result.own(), AllOf(HasSubstr("forerun_main_forward(7, 0, 0); "),
                                  Not(HasSubstr("forerun_main_without_mpi(")),
                                  HasSubstr("forerun_main_exchange(forerun_main_MPI_Init(")));
}

} // namespace
} // namespace forerun::slicer::testing
