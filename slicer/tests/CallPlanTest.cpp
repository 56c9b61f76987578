// SPDX-License-Identifier: Apache-2.0
#include "slice/plan/CallPlan.h"

#include <gtest/gtest.h>

/// \file
/// Which calls of the pre-execution thread settle its predictions, by the runtime's own table
/// (libprefetch/include/forerun/predictions.def; EntryTest holds the runtime against it).

namespace forerun::slicer::testing {
namespace {

using Io = CallPlan::Io;
using Receive = CallPlan::Receive;

bool settles(CallPlan::Action action) { return CallPlan{.action = std::move(action)}.settles(); }

bool settles(const Forwarded &forwarded) { return settles(Receive{.forwarded = {forwarded}}); }

TEST(CallPlan, ReadsWritesAndSeeksDoNotSettle) {
  for (const char *name : {"MPI_File_read_at", "MPI_File_write_at"})
    for (const Io::Form form : {Io::Form::ReadAt, Io::Form::WriteAt})
      EXPECT_FALSE(settles(Io{name, form})) << name;
  EXPECT_FALSE(settles(Io{"MPI_File_read", Io::Form::Read}));
  EXPECT_FALSE(settles(Io{"MPI_File_read_ordered", Io::Form::ReadOrdered}));
  EXPECT_FALSE(settles(Io{"MPI_File_seek", Io::Form::Seek}));
  EXPECT_FALSE(settles(Io{.function = "MPI_File_seek", .form = Io::Form::Seek, .isFromEnd = true}));
}

TEST(CallPlan, WhatOpensWaitsOrNeedsBytesSettles) {
  EXPECT_TRUE(settles(Io{"MPI_File_open", Io::Form::Open}));
  EXPECT_TRUE(settles(Io{"MPI_File_read_at", Io::Form::FetchAt}));
  EXPECT_TRUE(settles(Io{"MPI_File_read_at", Io::Form::FetchAt, true}));
  EXPECT_TRUE(settles(Io{"MPI_File_set_view", Io::Form::View}));
  EXPECT_TRUE(settles(Io{"MPI_File_sync", Io::Form::Sync}));
  EXPECT_TRUE(settles(Io{"MPI_File_close", Io::Form::Close}));
  EXPECT_TRUE(settles(CallPlan::StandIn{"forerun_pre_rand"}));
  EXPECT_TRUE(settles(CallPlan::Twin{"H5Dopen2"}));
  EXPECT_TRUE(settles(CallPlan::Choose{}));
}

TEST(CallPlan, ForwardedNumbersArePredictedButTextsAndMessagesSettle) {
  using Size = Forwarded::Size;
  for (const Size size : {Size::Pointee, Size::Array, Size::Datatype, Size::Nothing})
    EXPECT_FALSE(settles(Forwarded{.size = size})) << static_cast<int>(size);
  for (const Size size : {Size::Text, Size::Generators})
    EXPECT_TRUE(settles(Forwarded{.size = size})) << static_cast<int>(size);
  EXPECT_TRUE(settles(Forwarded{.request = 3}));
  EXPECT_TRUE(settles(Receive{.forwarded = {}, .completes = Receive::Completion{0, -1}}));
}

TEST(CallPlan, WhatIsAskedOfOtherProcessesSettles) {
  EXPECT_TRUE(
      settles(Receive{.forwarded = {}, .exchange = Receive::Exchange{"forerun_pre_MPI_Bcast", 5}}));
  EXPECT_FALSE(settles(
      Receive{.forwarded = {}, .exchange = Receive::Exchange{"forerun_pre_MPI_Comm_rank", 2}}));
  EXPECT_TRUE(settles(CallPlan::Skip{.values = 1, .isCollective = true}));
  EXPECT_FALSE(settles(CallPlan::Skip{.values = 1}));
}

TEST(CallPlan, WhatIsLeftOutOrAffectsOnlyPrivateMemoryDoesNotSettle) {
  EXPECT_FALSE(settles(CallPlan::Gone{}));
  EXPECT_FALSE(settles(CallPlan::Direct{}));
  EXPECT_FALSE(settles(CallPlan::Clone{}));
}

} // namespace
} // namespace forerun::slicer::testing
