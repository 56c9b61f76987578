// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "SlicedProgram.h"

/// \file
/// What other processes determine: non-blocking calls, ordered reads, the end of a file.

namespace forerun::slicer::testing {
namespace {

using ::testing::FieldsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;
using IoForm = CallPlan::Io::Form;

/// A main with these statements, sliced.
struct Sliced : SlicedProgram {
  explicit Sliced(const std::string &statements)
      : SlicedProgram("#include <mpi.h>\n" +
                      mainWith("  MPI_File fh; char data[9]; int n = 0, flag = 0;\n"
                               "  MPI_Request request, other, all[4];\n  " +
                               std::string(kOpen) + "\n" + statements)) {}

  /// The plan of the call with this number; an empty one if the slice has none.
  CallPlan plan(const std::string &function, int number = 0) const {
    const CallPlan *found = planOf(function, number);
    return found ? *found : CallPlan();
  }
};

constexpr const char *kReceive = "  MPI_Irecv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);\n";
constexpr const char *kReadOfData =
    "  MPI_File_read_at(fh, n, data, 9, MPI_BYTE, MPI_STATUS_IGNORE);\n";

TEST(Requests, WhatANonBlockingCallBringsIsForwardedAtItsCompletion) {
  const Sliced sliced(std::string(kReceive) +
                      "  MPI_Isend(data, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &other);\n"
                      "  MPI_Wait(&other, MPI_STATUS_IGNORE);\n"
                      "  MPI_Wait(&request, MPI_STATUS_IGNORE);\n" +
                      kReadOfData);
  const CallPlan start = sliced.plan("MPI_Irecv"), end = sliced.plan("MPI_Wait", 1);
  const auto *starts = start.as<CallPlan::Receive>();
  ASSERT_TRUE(starts);
  ASSERT_EQ(starts->forwarded.size(), 1U);
  EXPECT_EQ(starts->forwarded[0].request, 6);
  const auto *ends = end.as<CallPlan::Receive>();
  ASSERT_TRUE(ends);
  EXPECT_THAT(ends->completes, Optional(FieldsAre(0, -1)));
  EXPECT_LT(sliced.plan("MPI_Wait", 0).site, 0);
  const std::string site = std::to_string(start.site);
  EXPECT_THAT(sliced.text(), HasSubstr("MPI_Irecv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); "
                                       "forerun_main_defer(&request); forerun_main_forward_typed(" +
                                       site + ", &n, 1, MPI_INT); "));
  EXPECT_THAT(sliced.text(),
              HasSubstr("forerun_main_completing(1, &request); __auto_type __forerun_value = "
                        "MPI_Wait(&request, MPI_STATUS_IGNORE); "
                        "forerun_main_completed(&request); "));
  EXPECT_THAT(sliced.text(), HasSubstr("forerun_pre_expect(" + site + ", &n); "));
  EXPECT_THAT(sliced.text(), HasSubstr("forerun_pre_receive_expected(); "));
}

TEST(Requests, ACallThatCompletesSeveralSaysHowMany) {
  const Sliced sliced(std::string("  MPI_Irecv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &all[2]);\n"
                                  "  MPI_Waitall(3, all + 1, MPI_STATUSES_IGNORE);\n") +
                      kReadOfData);
  const CallPlan end = sliced.plan("MPI_Waitall");
  const auto *ends = end.as<CallPlan::Receive>();
  ASSERT_TRUE(ends);
  EXPECT_THAT(ends->completes, Optional(FieldsAre(1, 0)));
  EXPECT_THAT(sliced.text(), HasSubstr("void *__forerun_argument1 = (void *)(all + 1); "
                                       "forerun_main_completing(3, __forerun_argument1); "));
}

TEST(Requests, WithoutACallThatCompletesItPreExecutionEndsAtTheStart) {
  for (const char *freed : {"", "  MPI_Request_free(&request);\n"})
    EXPECT_TRUE(
        Sliced(std::string(kReceive) + freed + kReadOfData).plan("MPI_Irecv").is<CallPlan::Exit>());
}

TEST(OrderedReads, ThoseOfOneConstantSizeAreAnnouncedAsTheOthersReadAsMuch) {
  const Sliced sliced("  for (int i = 0; i < 9; i++)\n"
                      "    MPI_File_read_ordered(fh, data, 2, MPI_INT, MPI_STATUS_IGNORE);\n"
                      "  MPI_File_read_ordered(fh, data, 1 + 1, MPI_INT, MPI_STATUS_IGNORE);\n");
  EXPECT_EQ(formOf(sliced.plan("MPI_File_read_ordered")), IoForm::ReadOrdered);
  EXPECT_THAT(sliced.text(), HasSubstr("forerun_pre_read_ordered(" +
                                       std::to_string(sliced.plan("MPI_File_read_ordered").site) +
                                       ", fh, 2, MPI_INT)"));
}

TEST(OrderedReads, TheBytesOfOneAreFetchedWhereTheyAreNeeded) {
  const Sliced sliced("  MPI_File_read_ordered(fh, data, 2, MPI_BYTE, MPI_STATUS_IGNORE);\n"
                      "  n = data[1];\n" +
                      std::string(kReadOfData));
  EXPECT_EQ(formOf(sliced.plan("MPI_File_read_ordered")), IoForm::FetchOrdered);
  EXPECT_THAT(sliced.text(), HasSubstr("forerun_pre_fetch_ordered(" +
                                       std::to_string(sliced.plan("MPI_File_read_ordered").site) +
                                       ", fh, data, 2, MPI_BYTE, MPI_STATUS_IGNORE)"));
}

struct Sought {
  std::string main, pre; ///< what the two threads execute, without the number of the site
};

Sought sought(const char *whence) {
  const Sliced sliced("  n = MPI_File_seek(fh, argc, " + std::string(whence) + ");\n" +
                      "  MPI_File_read(fh, data, 9, MPI_BYTE, MPI_STATUS_IGNORE);\n");
  const std::string text = sliced.text();
  const auto line = [&](std::size_t at) { return text.substr(at, text.find('\n', at) - at); };
  return {line(text.find("  n = ")), line(text.find("forerun_pre_seek"))};
}

TEST(Seeks, WhereOneFromTheEndMayHaveLedIsHandedOver) {
  for (const char *whence : {"MPI_SEEK_END", "argc", "(MPI_SEEK_END)"}) {
    const Sought found = sought(whence);
    EXPECT_THAT(found.main, HasSubstr("forerun_main_sought(1, __forerun_argument0); "
                                      "__forerun_value; });"))
        << whence;
    EXPECT_THAT(found.pre, HasSubstr("forerun_pre_seek_end(1, fh, argc, ")) << whence;
  }
  for (const char *whence : {"MPI_SEEK_SET", "MPI_SEEK_CUR"}) {
    const Sought found = sought(whence);
    EXPECT_THAT(found.main, HasSubstr("forerun_main_done(1, MPI_File_seek(")) << whence;
    EXPECT_THAT(found.pre, HasSubstr("forerun_pre_seek(1, fh, argc, ")) << whence;
  }
}

TEST(OrderedReads, ThoseWhoseSizeMayDifferAreNot) {
  const std::string alike = "  MPI_File_read_ordered(fh, data, 2, MPI_INT, MPI_STATUS_IGNORE);\n";
  for (const std::string other :
       {"  MPI_File_read_ordered(fh, data, argc, MPI_INT, MPI_STATUS_IGNORE);\n",
        "  MPI_File_read_ordered(fh, data, 3, MPI_INT, MPI_STATUS_IGNORE);\n",
        "  MPI_File_read_ordered(fh, data, 2, MPI_BYTE, MPI_STATUS_IGNORE);\n",
        "  MPI_File_read_shared(fh, data, 2, MPI_INT, MPI_STATUS_IGNORE);\n",
        "  MPI_File_seek_shared(fh, 3, MPI_SEEK_SET);\n"}) {
    const Sliced sliced(alike + other);
    EXPECT_THAT(sliced.text(), Not(HasSubstr("forerun_pre_read_ordered"))) << other;
  }
}

} // namespace
} // namespace forerun::slicer::testing
