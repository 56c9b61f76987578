// SPDX-License-Identifier: Apache-2.0
#include "BuiltInModels.h"
#include "EmitTesting.h"
#include "SlicedProgram.h"
#include "emit/Emit.h"
#include "report/Announced.h"
#include "report/Summary.h"

namespace forerun::slicer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char *kModels = R"(
shelf_open  twin r:name,comm state=shelf awaits skips=comm
shelf_go    twin id,r:to state=shelf
shelf_where twin id,w:at asks=shelf
shelf_get   twin id,unit,m:buffer asks=shelf announces=buffer
shelf_gets  twin id,rm:*buffers asks=shelf announces=buffers
shelf_shake forward id state=shelf
shelf_put   twin id,buffer state=shelf skips=buffer
shelf_each  twin id,f:op,op_data asks=shelf callback=op(?,op_data)
shelf_any   twin entry,data state=shelf
shelf_name  twin number asks=shelf static
shelf_unit  variable shelf
)";

constexpr const char *kLibrary = R"(
#include <mpi.h>
#include <stdio.h>
extern int shelf_unit;
#define SHELF_UNIT (shelf_unit)
int shelf_open(const char *name, MPI_Comm comm);
void shelf_go(int id, const long *to);
int shelf_where(int id, long *at);
int shelf_get(int id, int unit, void *buffer);
int shelf_gets(int id, void *buffers[]);
int shelf_shake(int id);
int shelf_put(int id, const void *buffer);
const char *shelf_name(int number);
int shelf_each(int id, int (*op)(int, void *), void *op_data);
)";

struct Twins {
  std::string own, clones; ///< main's text with its insertions; what is appended to the unit
  std::vector<std::string> sites;
  std::string whyNot; ///< nothing is announced
};

Twins sliced(const std::string &program) {
  Models models;
  for (const auto &[name, text] : kBuiltInModels)
    models.add(text, name);
  EXPECT_THAT(models.add(kModels, "shelf.model"), IsEmpty());
  const SlicedProgram sliced({{"a.c", kLibrary + program}}, {.models = models});
  const std::string whyNot = whyNothingIsAnnounced(sliced.analysis(), sliced.units()).value_or("");
  const std::string all = sliced.text();
  EXPECT_TRUE(compiles({{"a.c", all}}));
  const std::size_t end = all.find("static __typeof__(shelf_");
  Twins twins{all.substr(0, end), end == std::string::npos ? "" : all.substr(end), {}, whyNot};
  const llvm::json::Object found = summary(sliced.analysis(), sliced.units());
  for (const auto &site : *found.getArray("sites"))
    twins.sites.push_back(site.getAsObject()->getString("call").value_or("").str() + ": " +
                          site.getAsObject()->getString("fate").value_or("").str());
  return twins;
}

/// The body of main, between MPI_Init and its end.
Twins inMain(const std::string &body, const std::string &before = "") {
  return sliced(before + "int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n" + body +
                "  return 0;\n}\n");
}

TEST(Twins, ReadsAreAnnouncedByTheFunctionsOfTheTwin) {
  const Twins twins = inMain(R"(
  double row[8], sum = 0;
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  for (long at = 0; at < 9; at++) {
    shelf_go(id, &at);
    shelf_get(id, SHELF_UNIT, row);
    sum += row[0];
  }
  printf("%f", sum);
)");
  EXPECT_THAT(twins.clones,
              AllOf(HasSubstr("(forerun_pre_open(0), __forerun_twin_shelf_open()(argv[1], 0))"),
                    HasSubstr("__forerun_twin_shelf_go()(id, &at);"),
                    HasSubstr("(forerun_pre_at(1), __forerun_twin_shelf_get()(id, "
                              "((*__forerun_twin_shelf_unit())), 0));"),
                    HasSubstr("forerun_pre_twin(\"shelf\", \"shelf_get\")"),
                    Not(HasSubstr("sum"))));
  EXPECT_THAT(twins.own,
              AllOf(HasSubstr("shelf_open(argv[1], MPI_COMM_WORLD); forerun_main_done(0, 0);"),
                    HasSubstr("forerun_main_done(1, shelf_get(id, SHELF_UNIT, row))"),
                    HasSubstr("\n    shelf_go(id, &at);")));
  EXPECT_THAT(
      twins.sites,
      ::testing::ElementsAre("shelf_open: opened by the library's twin, after the main thread has",
                             "shelf_get: prefetched by the library's twin"));
}

TEST(Twins, BuffersThatAreToBeFilledAreNotRead) {
  const Twins twins = inMain(R"(
  double rows[2][8], sum = 0;
  void *buffers[2] = {rows[0], rows[1]};
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  for (long at = 0; at < 9; at++) {
    shelf_go(id, &at);
    shelf_gets(id, buffers);
    sum += rows[1][0];
  }
  printf("%f", sum);
)");
  EXPECT_THAT(twins.clones, HasSubstr("__forerun_twin_shelf_gets()(id, 0)"));
}

TEST(Twins, BuffersAreGivenWhereTheBytesOfOneAreNeeded) {
  const Twins twins = inMain(R"(
  long tables[2][8];
  void *buffers[2] = {tables[0], tables[1]};
  double row[8];
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  shelf_gets(id, buffers);
  shelf_go(id, &tables[1][3]);
  shelf_get(id, 2, row);
)");
  EXPECT_THAT(twins.clones, HasSubstr("__forerun_twin_shelf_gets()(id, buffers)"));
}

TEST(Twins, OfReadsThatAreHandedOverItIsSaidThatTheyAre) {
  const Twins twins = inMain(R"(
  long table[8];
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  shelf_shake(id);
  shelf_get(id, 1, table);
)");
  EXPECT_THAT(twins.whyNot,
              HasSubstr("shelf_get: the main thread forwards what the library returns"));
}

TEST(Twins, ABufferIsGivenWhereItsBytesAreNeeded) {
  const Twins twins = inMain(R"(
  long table[8];
  double row[8];
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  shelf_get(id, 1, table);
  shelf_go(id, &table[3]);
  shelf_get(id, 2, row);
)");
  EXPECT_THAT(twins.clones, AllOf(HasSubstr("()(id, 1, table)"), HasSubstr("()(id, 2, 0)")));
}

TEST(Twins, WhatAWriteWouldWriteIsNotComputed) {
  const Twins twins = inMain(R"(
  double row[8];
  int in = shelf_open(argv[1], MPI_COMM_WORLD), out = shelf_open(argv[2], MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) {
    shelf_get(in, 1, row);
    row[0] *= 3;
    shelf_put(out, row);
  }
)");
  EXPECT_THAT(twins.clones,
              AllOf(HasSubstr("__forerun_twin_shelf_put()(out, 0)"), Not(HasSubstr("row[0]"))));
}

TEST(Twins, AQuestionThatNobodyNeedsTheAnswerOfIsLeftOut) {
  const Twins twins = inMain(R"(
  long at, there;
  double row[8];
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  shelf_where(id, &at);
  printf("%ld", at);
  shelf_where(id, &there);
  shelf_go(id, &there);
  shelf_get(id, 1, row);
)");
  EXPECT_THAT(twins.clones, AllOf(HasSubstr("shelf_where()(id, &there)"), Not(HasSubstr("&at"))));
}

TEST(Twins, TheFenceIsAskedWhereATwinWrites) {
  const Twins twins = inMain(R"(
  static long places[8];
  double row[8];
  long *at = places + argc;
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  shelf_where(id, at);
  shelf_go(id, at);
  shelf_get(id, 1, row);
)");
  EXPECT_THAT(twins.clones, HasSubstr("forerun_pre_own(__forerun_1, sizeof *__forerun_1);"));
}

TEST(Twins, CallbacksOfATwinAreClones) {
  const Twins twins = inMain(R"(
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  shelf_each(id, visit, &id);
)",
                             R"(
static int visit(int entry, void *data) {
  double row[8];
  (void)entry;
  return shelf_get(*(int *)data, 1, row);
}
)");
  EXPECT_THAT(twins.clones, AllOf(HasSubstr("shelf_each()(id, visit__pre, &id)"),
                                  HasSubstr("__forerun_twin_shelf_get()")));
}

TEST(Twins, WithoutAReadNothingIsCalled) {
  EXPECT_THAT(inMain("  double row[8] = {0};\n  int id = shelf_open(argv[1], MPI_COMM_WORLD);\n"
                     "  shelf_put(id, row);\n")
                  .clones,
              IsEmpty());
}

TEST(Twins, APointerThatCanOnlyBeOneFunctionIsThatOfTheTwin) {
  const Twins twins = inMain(R"(
  double row[8] = {0};
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  kGet(id, 1, row);
)",
                             "static int (*const kGet)(int, int, void *) = shelf_get;\n");
  EXPECT_THAT(twins.clones,
              AllOf(HasSubstr("__forerun_twin_shelf_get()(id, 1, 0)"), Not(HasSubstr("kGet"))));
}

TEST(Twins, APointerTellsWhichFunctionOfTheTwinIsCalled) {
  const Twins twins = inMain(R"(
  double row[8] = {0};
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  for (int i = 0; i < argc; i++)
    kGets[i & 1](id, i, row);
)",
                             R"(
static int none(int id, int unit, void *buffer) { return id < unit && buffer; }
static int (*const kGets[])(int, int, void *) = {shelf_get, none};
)");
  EXPECT_THAT(twins.clones,
              AllOf(HasSubstr("__forerun_called = kGets__pre[i & 1]"),
                    HasSubstr("(void (*)(void))shelf_get ? (int)(forerun_pre_at(1), "
                              "__forerun_twin_shelf_get()(id, i, 0))"),
                    HasSubstr("kGets__pre[2])(int, int, void *) = {shelf_get, none__pre}")));
  EXPECT_THAT(twins.own, HasSubstr("forerun_main_done(1, kGets[i & 1](id, i, row))"));
}

TEST(Twins, AFunctionThatIsNoReadIsToldApartAsWell) {
  const Twins twins = inMain(R"(
  double row[8] = {0};
  const char *name = kNames[argc & 1](argc);
  int id = shelf_open(name, MPI_COMM_WORLD);
  shelf_get(id, 1, row);
)",
                             R"(
static const char *none(int number) { return number ? "a" : "b"; }
static const char *(*const kNames[])(int) = {shelf_name, none};
)");
  EXPECT_THAT(twins.own, HasSubstr("= kNames[argc & 1](argc); forerun_main_done(0, 0); "));
  EXPECT_THAT(twins.sites, ::testing::Contains("shelf_name: done by the library's twin"));
}

TEST(Twins, ATwinCallsNoFunctionOfTheProgramsLibrary) {
  const Twins twins = inMain(R"(
  int id = shelf_open(argv[1], MPI_COMM_WORLD);
  double row[8];
  if (shelf_each(id, shelf_any, row))
    shelf_get(id, 2, row);
)",
                             "int shelf_any(int entry, void *data);\n");
  EXPECT_THAT(twins.clones, HasSubstr("shelf_each()(id, __forerun_twin_shelf_any(), row)"));
}

} // namespace
} // namespace forerun::slicer::testing
