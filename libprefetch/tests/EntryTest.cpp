// SPDX-License-Identifier: Apache-2.0
#include "thread/Entry.h"

#include "OnPreThread.h"
#include "calls/TheProcess.h"
#include "forerun/runtime.h"
#include "forerun/standins.h"

#include <array>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

// Each row of predictions.def, against what the call does where a prediction is open.

namespace forerun::entry {
namespace {

constexpr int kStep = 0, kOther = 1, kNotPassed = 2, kAllSites = 3;
constexpr int kHistory = 16; ///< values after which the next is predicted

/// What the thread may write to besides its stack and its heap.
struct World {
  std::array<char, 64> bytes;
  void *block; ///< of the heap, on pages of its own
} world;
constexpr int kBlockBytes = LazyReads::kLeastBytes;
long notLent;

MPI_File someFile() { return reinterpret_cast<MPI_File>(&world); }
/// Whose reads may be left until their bytes are touched.
MPI_File cachedFile() { return reinterpret_cast<MPI_File>(&notLent); }

using Call = void (*)();

// A MaySettle call has two: one that keeps the prediction, and one that settles.
const std::multimap<Entry, Call> kCalls = {
    {Entry::at, [] { forerun_pre_at(kOther); }},
    {Entry::open, [] { forerun_pre_open(kOther); }},
    {Entry::sync, [] { forerun_pre_sync(kOther); }},
    {Entry::exit, [] { forerun_pre_exit(); }},
    {Entry::end, [] { forerun_pre_end("it was to end"); }},
    {Entry::own_elsewhere, [] { forerun_pre_own_elsewhere(&world, 1); }},
    {Entry::lend, [] { forerun_pre_lend(&world, 1); }},
    {Entry::lend, [] { forerun_pre_lend(&notLent, sizeof notLent); }},
    {Entry::twin, [] { forerun_pre_twin("no library", "nothing"); }},
    {Entry::receive, [] { forerun_pre_receive(kStep, world.bytes.data(), sizeof(long)); }},
    {Entry::receive_type,
     [] {
       MPI_Datatype type = MPI_DATATYPE_NULL;
       forerun_pre_receive_type(kStep, &type);
     }},
    {Entry::condition, [] { forerun_pre_condition(kStep); }},
    {Entry::goes_on, [] { forerun_pre_goes_on(kStep, 1); }},
    {Entry::asks_time, [] { forerun_pre_asks_time(kOther); }},
    {Entry::skip, [] { forerun_pre_skip(kOther, 1); }},
    {Entry::generators, [] { forerun_pre_generators(kOther, 0); }},
    {Entry::receive_text, [] { forerun_pre_receive_text(kOther); }},
    {Entry::expect, [] { forerun_pre_expect(kOther, world.bytes.data()); }},
    {Entry::receive_expected, [] { forerun_pre_receive_expected(); }},
    {Entry::open_file,
     [] {
       MPI_File fh = MPI_FILE_NULL;
       forerun_pre_open_file(kOther, &fh);
     }},
    {Entry::read_at, [] { forerun_pre_read_at(kOther, someFile(), 0, 1, MPI_INT); }},
    {Entry::read, [] { forerun_pre_read(kOther, someFile(), 1, MPI_INT); }},
    {Entry::read_ordered, [] { forerun_pre_read_ordered(kOther, someFile(), 1, MPI_INT); }},
    {Entry::fetch_at,
     [] {
       forerun_pre_fetch_at(kNotPassed, cachedFile(), 0, world.block, kBlockBytes, MPI_BYTE,
                            MPI_STATUS_IGNORE);
     }},
    {Entry::fetch_at,
     [] {
       forerun_pre_fetch_at(kOther, someFile(), 0, world.bytes.data(), 1, MPI_INT,
                            MPI_STATUS_IGNORE);
     }},
    {Entry::fetch,
     [] {
       forerun_pre_fetch(kNotPassed, cachedFile(), world.block, kBlockBytes, MPI_BYTE,
                         MPI_STATUS_IGNORE);
     }},
    {Entry::fetch,
     [] {
       forerun_pre_fetch(kOther, someFile(), world.bytes.data(), 1, MPI_INT, MPI_STATUS_IGNORE);
     }},
    {Entry::fetch_ordered,
     [] {
       forerun_pre_fetch_ordered(kNotPassed, cachedFile(), world.block, kBlockBytes, MPI_BYTE,
                                 MPI_STATUS_IGNORE);
     }},
    {Entry::fetch_ordered,
     [] {
       forerun_pre_fetch_ordered(kOther, someFile(), world.bytes.data(), 1, MPI_INT,
                                 MPI_STATUS_IGNORE);
     }},
    {Entry::count_at,
     [] {
       forerun_pre_count_at(kOther, someFile(), 0, world.bytes.data(), 1, MPI_INT,
                            MPI_STATUS_IGNORE);
     }},
    {Entry::count,
     [] {
       forerun_pre_count(kOther, someFile(), world.bytes.data(), 1, MPI_INT, MPI_STATUS_IGNORE);
     }},
    {Entry::write_at, [] { forerun_pre_write_at(kOther, someFile(), 0, 1, MPI_INT); }},
    {Entry::write, [] { forerun_pre_write(kOther, someFile(), 1, MPI_INT); }},
    {Entry::wrote,
     [] {
       MPI_Status status;
       forerun_pre_wrote(0, 1, MPI_INT, &status);
     }},
    {Entry::seek, [] { forerun_pre_seek(kOther, someFile(), 0, MPI_SEEK_SET); }},
    {Entry::seek, [] { forerun_pre_seek(kOther, someFile(), 0, MPI_SEEK_END); }},
    {Entry::seek_end, [] { forerun_pre_seek_end(kOther, someFile(), 0, MPI_SEEK_SET); }},
    {Entry::set_view,
     [] { forerun_pre_set_view(kOther, someFile(), 0, MPI_BYTE, MPI_BYTE, "native"); }},
    {Entry::sync_file, [] { forerun_pre_sync_file(kOther); }},
    {Entry::close_file,
     [] {
       MPI_File fh = someFile();
       forerun_pre_close_file(kOther, &fh);
     }},
    {Entry::MPI_File_get_position,
     [] {
       MPI_Offset offset = 0;
       forerun_pre_MPI_File_get_position(kOther, 1, someFile(), &offset);
     }},
    {Entry::MPI_File_get_byte_offset,
     [] {
       MPI_Offset byte = 0;
       forerun_pre_MPI_File_get_byte_offset(kOther, 1, someFile(), 0, &byte);
     }},
    {Entry::MPI_File_get_view,
     [] {
       MPI_Offset displacement = 0;
       std::array<MPI_Datatype, 2> types{};
       forerun_pre_MPI_File_get_view(kOther, 1, someFile(), &displacement, types.data(), &types[1],
                                     world.bytes.data());
     }},
    {Entry::MPI_Comm_rank,
     [] {
       int rank = 0;
       forerun_pre_MPI_Comm_rank(kOther, 1, MPI_COMM_SELF, &rank);
     }},
    {Entry::MPI_Comm_size,
     [] {
       int size = 0;
       forerun_pre_MPI_Comm_size(kOther, 1, MPI_COMM_SELF, &size);
     }},
    {Entry::MPI_Cart_coords,
     [] { forerun_pre_MPI_Cart_coords(kOther, 1, MPI_COMM_SELF, 0, 0, nullptr); }},
    {Entry::MPI_Cart_rank,
     [] { forerun_pre_MPI_Cart_rank(kOther, 1, MPI_COMM_SELF, nullptr, nullptr); }},
    {Entry::MPI_Cart_shift,
     [] { forerun_pre_MPI_Cart_shift(kOther, 1, MPI_COMM_SELF, 0, 1, nullptr, nullptr); }},
    {Entry::MPI_Cart_get,
     [] { forerun_pre_MPI_Cart_get(kOther, 1, MPI_COMM_SELF, 0, nullptr, nullptr, nullptr); }},
    {Entry::MPI_Cartdim_get,
     [] { forerun_pre_MPI_Cartdim_get(kOther, 1, MPI_COMM_SELF, nullptr); }},
    {Entry::skip_collective, [] { forerun_pre_skip_collective(kOther, 1, MPI_COMM_SELF); }},
    {Entry::MPI_Bcast,
     [] { forerun_pre_MPI_Bcast(kOther, 1, nullptr, 0, MPI_INT, 0, MPI_COMM_SELF); }},
    {Entry::MPI_Scatter,
     [] {
       forerun_pre_MPI_Scatter(kOther, 1, nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, 0,
                               MPI_COMM_SELF);
     }},
    {Entry::MPI_Scatterv,
     [] {
       forerun_pre_MPI_Scatterv(kOther, 1, nullptr, nullptr, nullptr, MPI_INT, nullptr, 0, MPI_INT,
                                0, MPI_COMM_SELF);
     }},
    {Entry::MPI_Gather,
     [] {
       forerun_pre_MPI_Gather(kOther, 1, nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, 0,
                              MPI_COMM_SELF);
     }},
    {Entry::MPI_Gatherv,
     [] {
       forerun_pre_MPI_Gatherv(kOther, 1, nullptr, 0, MPI_INT, nullptr, nullptr, nullptr, MPI_INT,
                               0, MPI_COMM_SELF);
     }},
    {Entry::MPI_Allgather,
     [] {
       forerun_pre_MPI_Allgather(kOther, 1, nullptr, 0, MPI_INT, nullptr, 0, MPI_INT,
                                 MPI_COMM_SELF);
     }},
    {Entry::MPI_Allgatherv,
     [] {
       forerun_pre_MPI_Allgatherv(kOther, 1, nullptr, 0, MPI_INT, nullptr, nullptr, nullptr,
                                  MPI_INT, MPI_COMM_SELF);
     }},
    {Entry::MPI_Alltoall,
     [] {
       forerun_pre_MPI_Alltoall(kOther, 1, nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, MPI_COMM_SELF);
     }},
    {Entry::MPI_Alltoallv,
     [] {
       forerun_pre_MPI_Alltoallv(kOther, 1, nullptr, nullptr, nullptr, MPI_INT, nullptr, nullptr,
                                 nullptr, MPI_INT, MPI_COMM_SELF);
     }},
    {Entry::MPI_Reduce,
     [] {
       forerun_pre_MPI_Reduce(kOther, 1, nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF);
     }},
    {Entry::MPI_Allreduce,
     [] {
       forerun_pre_MPI_Allreduce(kOther, 1, nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_SELF);
     }},
    {Entry::MPI_Reduce_scatter_block,
     [] {
       forerun_pre_MPI_Reduce_scatter_block(kOther, 1, nullptr, nullptr, 0, MPI_INT, MPI_SUM,
                                            MPI_COMM_SELF);
     }},
    {Entry::MPI_Reduce_scatter,
     [] {
       forerun_pre_MPI_Reduce_scatter(kOther, 1, nullptr, nullptr, nullptr, MPI_INT, MPI_SUM,
                                      MPI_COMM_SELF);
     }},
    {Entry::MPI_Scan,
     [] { forerun_pre_MPI_Scan(kOther, 1, nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_SELF); }},
    {Entry::MPI_Exscan,
     [] {
       forerun_pre_MPI_Exscan(kOther, 1, nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_SELF);
     }},
    {Entry::MPI_Send,
     [] { forerun_pre_MPI_Send(kOther, 1, nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF); }},
    {Entry::MPI_Recv,
     [] {
       forerun_pre_MPI_Recv(kOther, 1, nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
     }},
    {Entry::MPI_Irecv,
     [] { forerun_pre_MPI_Irecv(kOther, 1, nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF); }},
    {Entry::MPI_Sendrecv,
     [] {
       forerun_pre_MPI_Sendrecv(kOther, 1, nullptr, 0, MPI_INT, 0, 0, nullptr, 0, MPI_INT, 0, 0,
                                MPI_COMM_SELF, MPI_STATUS_IGNORE);
     }},
    {Entry::MPI_Sendrecv_replace,
     [] {
       forerun_pre_MPI_Sendrecv_replace(kOther, 1, nullptr, 0, MPI_INT, 0, 0, 0, 0, MPI_COMM_SELF,
                                        MPI_STATUS_IGNORE);
     }},
};

Call theCall;
std::atomic<int> theId;
std::atomic<bool> isOpen, hasCome;

/// Makes the call with a prediction open.
void callWithOneOpen(void *path) {
  theId = gettid();
  {
    const PreThread::Unstoppable unstoppable;
    OpenedFile file;
    file.file = someFile();
    file.path = static_cast<const char *>(path);
    file.readOnly = true;
    PreThread::self()->files().open(file);
    file.file = cachedFile();
    file.generation = 1;
    PreThread::self()->files().open(file).pointer.broughtAtOnce = 2; // the first are not left
  }
  world.block = forerun_pre_malloc(kBlockBytes);
  for (int n = 0; n <= kHistory; ++n) {
    long step = 0;
    forerun_pre_at(kOther);
    forerun_pre_receive(kStep, &step, sizeof step);
  }
  isOpen = PreThread::predicting()->stream().prediction() != 0;
  theCall();
  hasCome = true;
}

bool isAsleep() {
  std::ifstream stat("/proc/self/task/" + std::to_string(theId.load()) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t at = text.rfind(") ");
  return at != std::string::npos && text[at + 2] == 'S';
}

/// Whether the call waits while the value of a prediction has not come.
bool settles(Call call, const std::string &path) {
  theCall = call;
  theId = 0;
  isOpen = hasCome = false;
  Between between{kAllSites, 4096};
  between.forwarding.begin(kAllSites);
  for (int n = 0; n < 4 * kHistory; ++n)
    between.progress.pass(kOther);
  const long step = 1;
  const auto send = [&] {
    return between.forwarding.send(kStep,
                                   {reinterpret_cast<const std::byte *>(&step), sizeof step, 0});
  };
  for (int n = 0; n < kHistory; ++n)
    EXPECT_EQ(send(), nullptr);
  PreThread::Launch launch{callWithOneOpen, path.c_str(), path.size() + 1};
  launch.lent.emplace().push_back(std::as_writable_bytes(std::span(&world, 1)));
  PreThread thread(std::move(launch), Options(), between);
  EXPECT_TRUE(thread.start());
  bool waits = false;
  while (!hasCome && !waits && !thread.ended())
    waits = isOpen && isAsleep() && !hasCome; // at its end the thread waits, too
  EXPECT_TRUE(isOpen);
  EXPECT_EQ(send(), nullptr);
  thread.stop();
  return waits;
}

TEST(Entry, EachRowSaysWhatItsCallDoesToAPrediction) {
  theProcess(); // as where the launching thread has made it: the other may be ended anywhere
  const std::string path = testing::TempDir() + "forerun-entry-" + std::to_string(getpid());
  std::ofstream(path) << std::string(kBlockBytes, 'x');
  const auto expect = [&](Entry entry, const char *name) {
    bool mayKeep = false, maySettle = false;
    const auto [begin, end] = kCalls.equal_range(entry);
    ASSERT_NE(begin, end) << "no call of " << name;
    for (auto each = begin; each != end; ++each)
      (settles(each->second, path) ? maySettle : mayKeep) = true;
    const OnPredictions seen = !maySettle ? OnPredictions::Keeps
                               : mayKeep  ? OnPredictions::MaySettle
                                          : OnPredictions::Settles;
    EXPECT_EQ(seen, onPredictions(entry)) << name;
  };
#define FORERUN_PRE_CALL(name, effect) expect(Entry::name, #name);
#include "forerun/predictions.def"
#undef FORERUN_PRE_CALL
  unlink(path.c_str());
}

} // namespace
} // namespace forerun::entry
