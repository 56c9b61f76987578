// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

/// \file
/// Communication: what is exchanged among the pre-execution threads, and what is forwarded.

namespace forerun::slicer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string exchanging(const std::string &body, const std::string &before = "") {
  return kHead + before +
         mainWith("  int rank, size; long at = 0, mine = 0;\n"
                  "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                  "  MPI_Comm_size(MPI_COMM_WORLD, &size);\n" +
                  body);
}

/// The communication of main's body that the pre-execution threads make themselves.
std::vector<std::string> exchangedIn(const std::string &body, const std::string &before = "") {
  const SlicedProgram program(exchanging(body, before));
  std::vector<std::string> result;
  for (const Call &call : program.analysis().program().calls)
    if (const CallPlan *plan = program.slice().planOf(call.expr))
      if (const auto *receive = plan->as<CallPlan::Receive>(); receive && receive->exchange)
        result.push_back(call.name);
  EXPECT_EQ(program.slice().exchanges, !result.empty());
  return result;
}

struct Received {
  std::vector<std::string> known, handedOver;
};

/// What the slice of main's body does not do itself. No other process takes part.
Received receivedIn(const std::string &body) {
  Received result;
  const SlicedProgram program(exchanging(body));
  for (const Call &call : program.analysis().program().calls)
    if (const CallPlan *plan = program.slice().planOf(call.expr))
      if (const auto *receive = plan->as<CallPlan::Receive>())
        (receive->exchange && receive->exchange->isLocal ? result.known : result.handedOver)
            .push_back(call.name);
  EXPECT_FALSE(program.slice().exchanges);
  return result;
}

TEST(Exchanges, CommunicationInTheLoopThatReadsIsExchanged) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    if (rank == 0) MPI_File_read_at(fh, i * 8, &at, 1, MPI_LONG, MPI_STATUS_IGNORE);
    MPI_Bcast(&at, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    get(at);
  }
)"),
              ElementsAre("MPI_Bcast"));
}

TEST(Exchanges, WhatACommunicatorIsAskedInTheLoopThatReadsIsKnown) {
  const Received received = receivedIn(R"(
  MPI_Comm grid;
  int dims[1] = {size}, periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  for (int i = 0; i < 9; i++) {
    int mine, next;
    MPI_Comm_rank(grid, &mine);
    MPI_Cart_shift(grid, 0, i, &mine, &next);
    get(next);
  }
)");
  EXPECT_THAT(received.known, ElementsAre("MPI_Cart_shift"));
  EXPECT_THAT(received.handedOver, ElementsAre("MPI_Cart_create"));
}

TEST(Exchanges, InALoopPointerAndViewAreKnownAndTheSizeIsForwarded) {
  const Received received = receivedIn(R"(
  MPI_Offset length, position, byte, from;
  MPI_Datatype etype, filetype;
  char representation[MPI_MAX_DATAREP_STRING];
  for (int i = 0; i < 9; i++) {
    MPI_File_get_view(fh, &from, &etype, &filetype, representation);
    MPI_File_get_byte_offset(fh, from, &byte);
    MPI_File_get_position(fh, &position);
    MPI_File_get_size(fh, &length);
    get(position + length + byte - i);
  }
)");
  EXPECT_THAT(received.known, UnorderedElementsAre("MPI_File_get_view", "MPI_File_get_byte_offset",
                                                   "MPI_File_get_position"));
  EXPECT_THAT(received.handedOver, ElementsAre("MPI_File_get_size"));
}

TEST(Exchanges, WhatIsAskedOfAFileThatIsNotReadIsHandedOver) {
  const Received received = receivedIn(R"(
  MPI_File other;
  MPI_File_open(MPI_COMM_SELF, "b", MPI_MODE_RDWR, MPI_INFO_NULL, &other);
  for (int i = 0; i < 9; i++) {
    MPI_Offset position;
    MPI_File_seek(other, i * i, MPI_SEEK_CUR);
    MPI_File_get_position(other, &position);
    get(position);
  }
)");
  EXPECT_THAT(received.known, IsEmpty());
  EXPECT_THAT(received.handedOver, ElementsAre("MPI_File_get_position"));
}

TEST(Exchanges, CommunicationBeforeTheLoopIsForwarded) {
  EXPECT_THAT(exchangedIn(R"(
  MPI_Bcast(&at, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 9; i++) MPI_Allreduce(&at, &mine, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 9; i++) get(at + mine + i);
)"),
              IsEmpty());
}

TEST(Exchanges, WhatCostsTheWholeComputationIsForwarded) {
  EXPECT_THAT(exchangedIn(R"(
  static double grid[64];
  for (int i = 0; i < 9; i++) {
    double sum = 0, all = 0;
    for (int k = 0; k < 64; k++) grid[k] = grid[k] * 0.5 + buf[k] + i;
    for (int k = 0; k < 64; k++) sum += grid[k];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    get((long)all);
  }
)"),
              IsEmpty());
}

TEST(Exchanges, WhatAMessageDependsOnMayHaveBeenReceivedToo) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    mine = rank + i;
    MPI_Scan(&mine, &at, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&at, 1, MPI_LONG, size - 1, MPI_COMM_WORLD);
    get(at);
  }
)"),
              ElementsAre("MPI_Scan", "MPI_Bcast"));
}

TEST(Exchanges, TheOtherSideOfABranchIsExchangedAsWell) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++)
    if (rank == 0) { long next = i * 7; MPI_Bcast(&next, 1, MPI_LONG, 0, MPI_COMM_WORLD); }
    else { MPI_Bcast(&at, 1, MPI_LONG, 0, MPI_COMM_WORLD); get(at); }
)"),
              ElementsAre("MPI_Bcast", "MPI_Bcast"));
}

TEST(Exchanges, AReceiveTakesTheSendsThatMayReachItIntoTheSlice) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++)
    if (rank == 0) deal(size, i); else { work(); halo(rank); }
)",
                          R"(
static void deal(int size, int i) {
  for (int to = 1; to < size; to++) {
    long next = i * size + to;
    MPI_Send(&next, 1, MPI_LONG, to, 5, MPI_COMM_WORLD);
  }
}
static void work(void) {
  long at;
  MPI_Recv(&at, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  get(at);
}
static void halo(int rank) { MPI_Send(buf, 8, MPI_DOUBLE, rank, 6, MPI_COMM_WORLD); }
)"),
              UnorderedElementsAre("MPI_Send", "MPI_Recv"));
}

TEST(Exchanges, MessagesWithTheSameTagAreCountedOnBothSides) {
  EXPECT_THAT(exchangedIn(R"(
  if (rank == 0) for (int to = 1; to < size; to++) MPI_Send(&mine, 1, MPI_LONG, to, 5, MPI_COMM_WORLD);
  else MPI_Recv(&at, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 9; i++) {
    if (rank == 0) for (int to = 1; to < size; to++) MPI_Send(&i, 1, MPI_INT, to, 5, MPI_COMM_WORLD);
    else { int next; MPI_Recv(&next, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); at = next; }
    MPI_Recv(buf, 8, MPI_DOUBLE, rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    get(at);
  }
)"),
              ElementsAre("MPI_Send", "MPI_Recv", "MPI_Send", "MPI_Recv"));
}

TEST(Exchanges, ListsOfDifferentLengthsAreExchangedWithTheirCounts) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    long all[8] = {0}; int counts[8], places[8];
    for (int r = 0; r < size; r++) counts[r] = places[r] = r;
    MPI_Gatherv(&mine, rank, MPI_LONG, all, counts, places, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, counts, places, MPI_LONG, &at, rank, MPI_LONG, 0, MPI_COMM_WORLD);
    mine = at + 1;
    get(at);
  }
)"),
              ElementsAre("MPI_Gatherv", "MPI_Scatterv"));
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    long out[8] = {i, rank}, in[8];
    MPI_Alltoall(out, 1, MPI_LONG, in, 1, MPI_LONG, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(in, &at, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    get(at);
  }
)"),
              ElementsAre("MPI_Alltoall", "MPI_Reduce_scatter_block"));
}

TEST(Exchanges, WhatIsReplacedIsSentBeforeThat) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    MPI_Sendrecv_replace(&at, 1, MPI_LONG, (rank + 1) % size, 3, (rank + size - 1) % size, 3,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    get(at);
  }
)"),
              ElementsAre("MPI_Sendrecv_replace"));
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    MPI_Sendrecv_replace(&at, 1, MPI_LONG, (rank + 1) % size, 3, (rank + size - 1) % size,
                         MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    get(at);
  }
)"),
              IsEmpty());
}

/// A send costs something only if it is kept in the slice.
constexpr const char *kCompute = R"(
static double grid[64];
static double computed(int i) {
  double sum = 0;
  for (int k = 0; k < 64; k++) grid[k] = grid[k] * 0.5 + buf[k] + i;
  for (int k = 0; k < 64; k++) sum += grid[k];
  return sum;
}
)";

TEST(Exchanges, InPlaceWhatLiesInTheBufferIsSent) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    at = rank + i;
    MPI_Allreduce(MPI_IN_PLACE, &at, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    get(at);
  }
)"),
              ElementsAre("MPI_Allreduce"));
  for (const char *from : {"MPI_IN_PLACE", "inPlace", "(void *)inPlace"})
    EXPECT_THAT(exchangedIn(std::string(R"(
  for (int i = 0; i < 9; i++) {
    void *inPlace = rank == 0 ? MPI_IN_PLACE : &mine;
    at = (long)computed(i);
    MPI_Allreduce()") + from + R"(, &at, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    get(at);
  }
)",
                            kCompute),
                IsEmpty())
        << from;
}

TEST(Exchanges, WhatAReceiveBringsLaterIsExchangedWithoutItsRequest) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    MPI_Request requests[2];
    int place = (int)computed(i);
    MPI_Irecv(&at, 1, MPI_LONG, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[place]);
    MPI_Isend(&mine, 1, MPI_LONG, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[1 - place]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    mine = at + i;
    get(at);
  }
)",
                          kCompute),
              ElementsAre("MPI_Irecv", "MPI_Isend"));
}

TEST(Exchanges, NonBlockingCollectivesAreMadeAsTheBlockingOnes) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    MPI_Request request;
    mine = rank + i;
    MPI_Iallreduce(&mine, &at, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    get(at);
  }
)"),
              ElementsAre("MPI_Iallreduce"));
}

TEST(Exchanges, WhereTheStartOfAReceiveGivesSomethingElseItIsForwarded) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    MPI_Request request;
    MPI_Send(&mine, 1, MPI_LONG, (rank + size - 1) % size, 5, MPI_COMM_WORLD);
    int error = MPI_Irecv(&at, 1, MPI_LONG, (rank + 1) % size, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    get(at + error);
  }
)"),
              ElementsAre("MPI_Send"));
}

TEST(Exchanges, WhatIsHandedADatatypeHasToAskMpiAboutIt) {
  const std::string read = "  MPI_File_read_at(fh, 8, buf, 1, type, MPI_STATUS_IGNORE);\n";
  const SlicedProgram own(exchanging("  MPI_Datatype type;\n"
                                     "  MPI_Type_contiguous(2, MPI_DOUBLE, &type);\n" +
                                     read));
  const SlicedProgram handed(exchanging("  MPI_Datatype type;\n"
                                        "  MPI_Type_create_f90_real(6, 30, &type);\n" +
                                        read));
  EXPECT_FALSE(own.slice().takesDatatypes);
  EXPECT_TRUE(handed.slice().takesDatatypes);
}

TEST(Exchanges, FromAnySourceNothingIsExchanged) {
  EXPECT_THAT(exchangedIn(R"(
  for (int i = 0; i < 9; i++) {
    MPI_Request request;
    MPI_Isend(&mine, 1, MPI_LONG, (rank + 1) % size, 5, MPI_COMM_WORLD, &request);
    MPI_Recv(&at, 1, MPI_LONG, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    get(at);
  }
)"),
              IsEmpty());
}

} // namespace
} // namespace forerun::slicer::testing
