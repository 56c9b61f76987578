// SPDX-License-Identifier: Apache-2.0
#include "models/Models.h"
#include "BuiltInModels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forerun::slicer::testing {
namespace {

using Kind = FunctionModel::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const FunctionModel &builtIn(std::string_view name) {
  const FunctionModel *model = Models::builtIn().find(name);
  EXPECT_NE(model, nullptr) << name;
  static const FunctionModel kNone;
  return model != nullptr ? *model : kNone;
}

FunctionModel only(std::string_view line) {
  Models models;
  EXPECT_THAT(models.add(line, "t"), IsEmpty());
  return models.all().empty() ? FunctionModel{} : models.all().begin()->second;
}

std::vector<std::string> errorsOf(std::string_view text) { return Models().add(text, "my.model"); }

TEST(Models, EveryBuiltInLineIsRight) {
  Models models;
  for (const auto &[file, text] : kBuiltInModels)
    EXPECT_THAT(models.add(text, file), IsEmpty());
  EXPECT_EQ(models.all().size(), Models::builtIn().all().size());
}

TEST(Models, WhatALibraryKeepsForTheProgramIsTheMainThreadsToWrite) {
  for (const std::string_view name : {"localeconv", "lgamma", "gammaf", "asctime", "strerror"})
    EXPECT_NE(builtIn(name).kind, Kind::Pure) << name;
}

TEST(Models, ALineTellsKindAndEffects) {
  const FunctionModel model = only("f forward v,r:a,w:b,rw:c,m:d,rm:*e,f:g,w:...");
  EXPECT_EQ(model.kind, Kind::Forward);
  ASSERT_EQ(model.parameters.size(), 7U);
  const auto effects = [&](int i) {
    const ParameterModel &p = model.parameters[i];
    return std::string() + (p.reads ? "r" : "") + (p.writes ? "w" : "") + (p.must ? "!" : "") +
           (p.deep ? "*" : "") + (p.callback ? "f" : "");
  };
  EXPECT_EQ(effects(0), "");
  EXPECT_EQ(effects(1), "r");
  EXPECT_EQ(effects(2), "w!");
  EXPECT_EQ(effects(3), "rw!");
  EXPECT_EQ(effects(4), "w");
  EXPECT_EQ(effects(5), "rw*");
  EXPECT_EQ(model.parameters[5].name, "e");
  EXPECT_EQ(effects(6), "f");
  EXPECT_TRUE(model.variadic.value_or(ParameterModel{}).writes);
}

TEST(Models, BracesNameSeveralFunctions) {
  Models models;
  EXPECT_THAT(models.add("{sin,cos}{,f} pure x\n", "t"), IsEmpty());
  std::vector<std::string> names;
  for (const auto &[name, model] : models.all())
    names.push_back(model.name);
  EXPECT_THAT(names, ElementsAre("cos", "cosf", "sin", "sinf"));
}

TEST(Models, LikeTakesOverTheStandInToo) {
  Models models;
  EXPECT_THAT(models.add("a standin n alloc\nb like a\n", "t"), IsEmpty());
  EXPECT_EQ(models.find("b")->standIn, "forerun_pre_a");
  EXPECT_EQ(models.find("b")->name, "b");
  EXPECT_THAT(models.find("b")->allocates, ElementsAre(kResult));
}

TEST(Models, ALaterLineReplacesAnEarlierOne) {
  Models models;
  EXPECT_THAT(models.add("a pure x\n", "t"), IsEmpty());
  EXPECT_THAT(models.add("a visible x\n", "mine"), IsEmpty());
  EXPECT_EQ(models.find("a")->kind, Kind::Visible);
}

TEST(Models, PointersThatMoveAreNamed) {
  const FunctionModel model =
      only("g pure r:*v,w:end globals=opt within=v,*v stores=end<-*v stores=opt<-*v "
           "copies=result<-v");
  ASSERT_EQ(model.within.size(), 2U);
  EXPECT_FALSE(model.within[0].pointee);
  EXPECT_TRUE(model.within[1].pointee);
  ASSERT_EQ(model.stores.size(), 2U);
  EXPECT_EQ(model.stores[0].to.parameter, 1);
  EXPECT_EQ(model.stores[0].from.parameter, 0);
  EXPECT_EQ(model.stores[1].to.global, "opt");
  ASSERT_EQ(model.copies.size(), 1U);
  EXPECT_EQ(model.copies[0].to.parameter, kResult);
}

TEST(Models, CallbacksNameWhatTheyAreGiven) {
  const FunctionModel model = only("q forward rw:base,n,f:compare callback=compare(base,?)");
  ASSERT_EQ(model.callbacks.size(), 1U);
  EXPECT_EQ(model.callbacks[0].function, 2);
  EXPECT_THAT(model.callbacks[0].arguments, ElementsAre(0, std::nullopt));
}

TEST(Models, MistakesAreNamedWithFileAndLine) {
  EXPECT_THAT(
      errorsOf("# comment\nf\n"
               "f sometimes x\n"
               "f pure\n"
               "f pure q:x\n"
               "f pure x,x\n"
               "f pure ...,x\n"
               "f pure x returns=y\n"
               "f pure x colour=y\n"
               "f pure x returns\n"
               "f pure x stores=x\n"
               "f io fh\n"
               "f like g\n"
               "f{a,b pure x\n"
               "f pure x callback=x(x)\n"
               "f forward x datatype=x\n"
               "f pure x keeps=x\n"
               "f forward x inplace=x\n"
               "f forward x exchange=alone\n"
               "f twin x\n"
               "f pure m:x announces=x\n"
               "f twin x state=a announces=x\n"
               "f variable\n"
               "f forward x disturbs=random,stdin\n"
               "f pure x disturbs=random\n"),
      ElementsAre(
          "my.model:2: the kind is missing",
          "my.model:3: unknown kind 'sometimes': use pure, standin, twin, forward, visible, "
          "noreturn, io or like",
          "my.model:4: the parameters are missing ('-' for none)",
          "my.model:5: unknown effect 'q': use r, w, rw, m, rm or f",
          "my.model:6: duplicate parameter 'x'", "my.model:7: '...' must be the last parameter",
          "my.model:8: there is no parameter 'y'", "my.model:9: unknown attribute 'colour'",
          "my.model:10: 'returns' needs a value", "my.model:11: 'x' is not of the form TO<-FROM",
          "my.model:12: kind 'io' and attribute 'form' belong together",
          "my.model:13: there is no model of 'g' before this line",
          "my.model:14: unbalanced or nested braces in 'f{a,b'",
          "my.model:15: 'x' is not marked as f:", "my.model:16: 'x' is not written",
          "my.model:17: 'keeps' needs a 'state' before it", "my.model:18: 'inplace' is FROM:INTO",
          "my.model:19: 'exchange' is collective, send, receive, both or local, perhaps with "
          ":FUNCTION",
          "my.model:20: kind 'twin' needs a 'state' or 'asks', which names the library",
          "my.model:21: 'announces', 'skips', 'awaits' and 'dirties' are for kind 'twin'",
          "my.model:22: 'x' is not written",
          "my.model:23: 'variable' is followed by the name of a library",
          "my.model:24: 'disturbs' is for the states 'random' and 'rand48', not 'stdin'",
          "my.model:25: 'disturbs' is for kinds 'forward' and 'visible', and for form 'open'"));
}

TEST(Models, FunctionsAndVariablesOfALibraryThatHasATwinNameIt) {
  Models models;
  EXPECT_THAT(models.add("f twin x,m:y asks=shelf announces=y\n"
                         "g twin x,y state=shelf skips=y awaits\n"
                         "h twin - state=shelf\n"
                         "{u,v} variable shelf\n"
                         "h pure -\n",
                         "t"),
              IsEmpty());
  using Twin = std::pair<const std::string, std::string>;
  EXPECT_THAT(models.twins(), ElementsAre(Twin("f", "shelf"), Twin("g", "shelf"),
                                          Twin("u", "shelf"), Twin("v", "shelf")));
  EXPECT_TRUE(models.find("f")->asks);
  EXPECT_EQ(models.find("f")->announces, 1);
  EXPECT_FALSE(models.find("g")->asks);
  EXPECT_THAT(models.find("g")->skipped, ElementsAre(1));
  EXPECT_TRUE(models.find("g")->awaits);
}

TEST(Models, AWrongLineHasNoEffect) {
  Models models;
  EXPECT_THAT(models.add("f pure q:x\ng pure x", "t"), ::testing::SizeIs(1));
  EXPECT_EQ(models.find("f"), nullptr);
  EXPECT_NE(models.find("g"), nullptr);
}

TEST(Models, AFileThatIsNotThereIsAnError) {
  EXPECT_THAT(Models().addFile("/nowhere/my.model"),
              ElementsAre("/nowhere/my.model: cannot be read: No such file or directory"));
}

TEST(Models, BuiltinsAndProfilingNamesHaveTheModelsOfWhatTheyStandFor) {
  EXPECT_EQ(builtIn("__builtin_memcpy").name, "memcpy");
  EXPECT_EQ(builtIn("__builtin___memcpy_chk").name, "__memcpy_chk");
  EXPECT_EQ(builtIn("__builtin_expect").name, "__builtin_expect");
  EXPECT_EQ(builtIn("PMPI_File_read").name, "MPI_File_read");
  EXPECT_EQ(Models::builtIn().find("__builtin_nobody_knows"), nullptr);
}

TEST(Models, OutputParametersOfMpiAreWritten) {
  EXPECT_TRUE(builtIn("MPI_Comm_rank").parameters[1].must);
  EXPECT_FALSE(builtIn("MPI_Comm_rank").parameters[0].reads);
  EXPECT_EQ(builtIn("MPI_Comm_rank").kind, Kind::Forward);
}

TEST(Models, WhatOnlyTheRootReceivesIsPerhapsWritten) {
  const FunctionModel &model = builtIn("MPI_Reduce");
  EXPECT_TRUE(model.parameters[1].writes);
  EXPECT_FALSE(model.parameters[1].must);
}

TEST(Models, BuffersOfMpiHaveTheirCountAndDatatype) {
  const FunctionModel &receive = builtIn("MPI_Recv");
  ASSERT_EQ(receive.typed.size(), 1U);
  EXPECT_EQ(receive.typed[0].buffer, 0);
  EXPECT_EQ(receive.typed[0].count, 1);
  EXPECT_EQ(receive.typed[0].datatype, 2);
  EXPECT_FALSE(receive.typed[0].communicator);
  ASSERT_EQ(builtIn("MPI_Allgather").typed.size(), 1U);
  EXPECT_EQ(builtIn("MPI_Allgather").typed[0].communicator, 6);
  EXPECT_THAT(builtIn("MPI_Allgatherv").typed, IsEmpty());
}

TEST(Models, BuffersThatMpiFillsInPartOrAtTheRootAreKnown) {
  const FunctionModel &gather = builtIn("MPI_Gatherv");
  ASSERT_EQ(gather.spreads.size(), 1U);
  EXPECT_EQ(gather.spreads[0].buffer, 3);
  EXPECT_EQ(gather.spreads[0].counts, 4);
  EXPECT_EQ(gather.spreads[0].displacements, 5);
  EXPECT_EQ(gather.spreads[0].datatype, 6);
  EXPECT_EQ(gather.spreads[0].communicator, 8);
  ASSERT_EQ(gather.atRoots.size(), 1U);
  EXPECT_EQ(gather.atRoots[0].buffer, 3);
  EXPECT_EQ(gather.atRoots[0].root, 7);
  EXPECT_EQ(gather.atRoots[0].communicator, 8);
  EXPECT_EQ(builtIn("MPI_Reduce").atRoots.size(), 1U);
  EXPECT_THAT(builtIn("MPI_Scatter").atRoots, IsEmpty());
}

TEST(Models, WhatIsExchangedNamesItsFunctionAndWhereInPlaceIsRead) {
  EXPECT_EQ(builtIn("MPI_Gatherv").exchangedBy, "forerun_pre_MPI_Gatherv");
  EXPECT_EQ(builtIn("MPI_Iallreduce").exchangedBy, "forerun_pre_MPI_Allreduce");
  EXPECT_EQ(builtIn("MPI_Issend").exchangedBy, "forerun_pre_MPI_Send");
  EXPECT_EQ(builtIn("MPI_Bcast_c").exchangedBy, "forerun_pre_MPI_Bcast");
  // Its counts are not of type int.
  EXPECT_EQ(builtIn("MPI_Gatherv_c").exchange, FunctionModel::Exchange::None);
  EXPECT_THAT(builtIn("MPI_Gatherv_c").spreads, IsEmpty());
  const auto inPlace = builtIn("MPI_Alltoall").inPlace.value_or(FunctionModel::InPlace{-1, -1});
  EXPECT_EQ(inPlace.from, 0);
  EXPECT_EQ(inPlace.into, 3);
  EXPECT_FALSE(builtIn("MPI_Scatter").inPlace);
}

TEST(Models, DatatypesThatAreMadeAreKnownAsSuch) {
  for (const char *name : {"MPI_Type_contiguous", "MPI_Type_vector", "MPI_Type_create_subarray",
                           "MPI_Type_create_darray", "MPI_Type_create_resized", "MPI_Type_dup",
                           "MPI_Type_indexed", "MPI_Type_struct"})
    EXPECT_THAT(builtIn(name).datatypes, ::testing::SizeIs(1)) << name;
  EXPECT_THAT(builtIn("MPI_Type_free").datatypes, IsEmpty());
}

TEST(Models, EveryMpiIoCallHasItsForm) {
  using Form = FunctionModel::Form;
  const std::vector<std::pair<std::string, Form>> forms = {
      {"open", Form::Open},
      {"close", Form::Sync},
      {"read", Form::Read},
      {"read_all", Form::Read},
      {"iread", Form::Read},
      {"iread_all", Form::Read},
      {"read_all_begin", Form::Read},
      {"read_at", Form::ReadAt},
      {"read_at_all", Form::ReadAt},
      {"iread_at", Form::ReadAt},
      {"iread_at_all", Form::ReadAt},
      {"read_at_all_begin", Form::ReadAt},
      {"read_shared", Form::ReadShared},
      {"read_ordered", Form::ReadShared},
      {"iread_shared", Form::ReadShared},
      {"read_ordered_begin", Form::ReadShared},
      {"write", Form::Write},
      {"iwrite_all", Form::Write},
      {"write_at_all_begin", Form::WriteAt},
      {"write_ordered", Form::WriteShared},
      {"seek", Form::Seek},
      {"seek_shared", Form::SeekShared},
      {"set_view", Form::View},
      {"sync", Form::Sync},
      {"set_size", Form::Sync},
      {"preallocate", Form::Sync},
      {"set_atomicity", Form::Sync},
      {"delete", Form::Sync},
      {"read_c", Form::Read},
  };
  for (const auto &[name, form] : forms)
    EXPECT_EQ(builtIn("MPI_File_" + name).form, form) << name;
  for (const char *name : {"read_all_end", "get_size", "get_view", "set_info"})
    EXPECT_EQ(builtIn(std::string("MPI_File_") + name).form, Form::None) << name;
}

TEST(Models, NonBlockingCallsFillTheirBuffersLater) {
  EXPECT_TRUE(builtIn("MPI_Irecv").nonblocking);
  EXPECT_TRUE(builtIn("MPI_File_iread").nonblocking);
  EXPECT_TRUE(builtIn("MPI_File_read_all_begin").nonblocking);
  EXPECT_FALSE(builtIn("MPI_Recv").nonblocking);
  EXPECT_EQ(builtIn("MPI_Waitall").completes, 1);
  EXPECT_FALSE(builtIn("MPI_Irecv").completes);
}

TEST(Models, SequencesOfRandomNumbersShareTheirStateAsInLibc) {
  EXPECT_EQ(builtIn("rand").state, builtIn("random").state);
  EXPECT_EQ(builtIn("srand").state, builtIn("rand").state);
  EXPECT_TRUE(builtIn("srand").seeds);
  EXPECT_FALSE(builtIn("rand").seeds);
  EXPECT_NE(builtIn("drand48").state, builtIn("rand").state);
  EXPECT_THAT(builtIn("MPI_File_open").disturbed,
              ElementsAre(builtIn("rand").state, builtIn("drand48").state));
}

} // namespace
} // namespace forerun::slicer::testing
