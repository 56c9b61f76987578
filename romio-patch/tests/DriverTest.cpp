// SPDX-License-Identifier: Apache-2.0
// What programs observe with the stacked driver: exactly what they observe without it.
#include "MpiTest.h"
#include "TestDoor.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace forerun::test {
namespace {

constexpr int kFileBytes = 50000;

/// All that a read gives its caller.
struct Outcome {
  int errorClass = MPI_SUCCESS;
  int bytes = -1;
  MPI_Offset position = -1, sharedPosition = -1;
  std::vector<char> buffer;

  bool operator==(const Outcome &) const = default;
};

std::ostream &operator<<(std::ostream &out, const Outcome &o) {
  return out << "class " << o.errorClass << ", " << o.bytes << " bytes, position " << o.position
             << ", shared " << o.sharedPosition << ", checksum "
             << std::accumulate(o.buffer.begin(), o.buffer.end(), 0L);
}

/// Reads elements of a type; explicit forms at the offset, the others at the file pointer.
using ReadCall = std::function<int(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *)>;

/// Completes a non-blocking read whose beginning returned \p code.
int waitFor(int code, MPI_Request *request, MPI_Status *status) {
  return code == MPI_SUCCESS ? MPI_Wait(request, status) : code;
}

struct ReadForm {
  const char *name;
  ReadCall call;
  bool shared = false; ///< reads at the shared file pointer
};

const std::vector<ReadForm> kReadForms = {
    {"read", [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t,
                MPI_Status *s) { return MPI_File_read(f, b, n, t, s); }},
    {"read_at", [](MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t,
                   MPI_Status *s) { return MPI_File_read_at(f, o, b, n, t, s); }},
    {"read_all", [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t,
                    MPI_Status *s) { return MPI_File_read_all(f, b, n, t, s); }},
    {"read_at_all", [](MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t,
                       MPI_Status *s) { return MPI_File_read_at_all(f, o, b, n, t, s); }},
    {"read_shared",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       int code = MPI_SUCCESS;
       for (int turn = 0; turn < ranks(); turn++) {
         if (turn == rank())
           code = MPI_File_read_shared(f, b, n, t, s);
         MPI_Barrier(MPI_COMM_WORLD);
       }
       return code;
     },
     true},
    {"read_ordered",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       return MPI_File_read_ordered(f, b, n, t, s);
     },
     true},
    {"iread",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       MPI_Request r;
       return waitFor(MPI_File_iread(f, b, n, t, &r), &r, s);
     }},
    {"iread_at",
     [](MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       MPI_Request r;
       return waitFor(MPI_File_iread_at(f, o, b, n, t, &r), &r, s);
     }},
    {"iread_shared",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       MPI_Request r;
       int code = MPI_SUCCESS;
       for (int turn = 0; turn < ranks(); turn++) {
         if (turn == rank())
           code = waitFor(MPI_File_iread_shared(f, b, n, t, &r), &r, s);
         MPI_Barrier(MPI_COMM_WORLD);
       }
       return code;
     },
     true},
    {"iread_all",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       MPI_Request r;
       return waitFor(MPI_File_iread_all(f, b, n, t, &r), &r, s);
     }},
    {"iread_at_all",
     [](MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       MPI_Request r;
       return waitFor(MPI_File_iread_at_all(f, o, b, n, t, &r), &r, s);
     }},
    {"read_all_begin",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       const int code = MPI_File_read_all_begin(f, b, n, t);
       return code == MPI_SUCCESS ? MPI_File_read_all_end(f, b, s) : code;
     }},
    {"read_ordered_begin",
     [](MPI_File f, MPI_Offset, void *b, int n, MPI_Datatype t, MPI_Status *s) {
       const int code = MPI_File_read_ordered_begin(f, b, n, t);
       return code == MPI_SUCCESS ? MPI_File_read_ordered_end(f, b, s) : code;
     },
     true},
};

/// Which part of the file is to be read, and into what memory.
struct ReadShape {
  const char *name;
  bool stridedFile, stridedMemory;
  int bytes;         ///< a multiple of 8
  MPI_Offset offset; ///< in the view
  bool pastTheEnd = false;
};

const std::vector<ReadShape> kReadShapes = {
    {"a few bytes", false, false, 100 * 8, 40},
    {"whole sectors", false, false, 8192, 4096},
    {"into strided memory", false, true, 4000, 96},
    {"across the end of the file", false, false, 8192, kFileBytes - 1000, true},
    {"across the end into strided memory", false, true, 8192, kFileBytes - 1000, true},
    {"past the end of the file", false, false, 800, kFileBytes + 5000, true},
    {"nothing", false, false, 0, 8},
    {"strided", true, false, 8000, 80},
    {"strided into strided memory", true, true, 8000, 80},
    {"strided across the end", true, false, 20000, 10000, true},
    {"strided past the end", true, false, 800, 100000, true},
    {"nothing strided", true, false, 0, 8},
};

/// How much of what will be read is in the cache.
enum class Cached { Nothing, WhatWasReadBefore, Everything, OnOneRank };

struct Setting {
  const char *name;
  DoorMode door;
  Cached cached;
  bool atomic;
  const char *collectiveBuffering;
};

class ReadsBehindADoor : public testing::TestWithParam<Setting> {};

/// One file, opened once, read in one form.
class Reader {
public:
  Reader(const ReadForm &form, const Setting &setting, const std::string &path)
      : form_(form), setting_(setting) {
    setDoorMode(setting.door);
    const Hints hints{{"romio_cb_read", setting.collectiveBuffering}};
    fh_ = openFile(path, MPI_MODE_RDONLY, hints);
    MPI_File_set_atomicity(fh_, setting.atomic);
  }
  ~Reader() { MPI_File_close(&fh_); }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  Outcome read(const ReadShape &shape) {
    const Type interleaved(1, 16, 16 * ranks(), 16 * rank());
    MPI_File_set_view(fh_, shape.stridedFile ? 8 : 0, MPI_BYTE,
                      shape.stridedFile ? MPI_Datatype(interleaved) : MPI_BYTE, "native",
                      MPI_INFO_NULL);
    emptyDoor();
    if (setting_.cached == Cached::WhatWasReadBefore)
      readOnce(shape);
    const bool fill = setting_.cached == Cached::Everything ||
                      (setting_.cached == Cached::OnOneRank && rank() == 0);
    if (setting_.door == DoorMode::On && !setting_.atomic && fill)
      fillDoor(fh_, 0, kFileBytes + 4096);
    return readOnce(shape);
  }

private:
  Outcome readOnce(const ReadShape &shape) {
    const Type scattered(1, 8, 12);
    const MPI_Datatype type = shape.stridedMemory ? MPI_Datatype(scattered) : MPI_BYTE;
    const int count = shape.stridedMemory ? shape.bytes / 8 : shape.bytes;
    Outcome outcome;
    outcome.buffer.assign(std::size_t(shape.bytes) * 2 + 64, '#');
    MPI_File_seek(fh_, shape.offset, MPI_SEEK_SET);
    if (form_.shared)
      MPI_File_seek_shared(fh_, shape.offset, MPI_SEEK_SET);
    MPI_Status status;
    MPI_Status_set_elements(&status, MPI_BYTE, 0);
    outcome.errorClass =
        errorClass(form_.call(fh_, shape.offset, outcome.buffer.data(), count, type, &status));
    MPI_Get_elements(&status, MPI_BYTE, &outcome.bytes);
    MPI_File_get_position(fh_, &outcome.position);
    if (form_.shared) {
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_File_get_position_shared(fh_, &outcome.sharedPosition);
    }
    // Past the end of the file, stock ROMIO leaves arbitrary bytes in the buffer.
    if (shape.pastTheEnd)
      outcome.buffer.resize(shape.stridedFile || shape.stridedMemory ? 0
                                                                     : std::size_t(outcome.bytes));
    return outcome;
  }

  const ReadForm &form_;
  const Setting &setting_;
  MPI_File fh_;
};

/// What stock ROMIO returns, remembered by form and by the parts of the setting that matter to it.
const std::vector<Outcome> &expectedOf(const ReadForm &form, const Setting &setting,
                                       const std::string &path) {
  static std::map<std::string, std::vector<Outcome>> known;
  std::vector<Outcome> &outcomes =
      known[std::string(form.name) + setting.collectiveBuffering + (setting.atomic ? "!" : "")];
  if (outcomes.empty()) {
    Setting stock = setting;
    stock.door = DoorMode::Off;
    stock.cached = Cached::Nothing;
    Reader reader(form, stock, path);
    for (const ReadShape &shape : kReadShapes)
      outcomes.push_back(reader.read(shape));
  }
  return outcomes;
}

TEST_P(ReadsBehindADoor, AreAsWithoutIt) {
  const TestFile file(kFileBytes);
  for (const ReadForm &form : kReadForms) {
    const std::vector<Outcome> &expected = expectedOf(form, GetParam(), file.path());
    Reader reader(form, GetParam(), file.path());
    for (std::size_t i = 0; i < kReadShapes.size(); i++) {
      SCOPED_TRACE(std::string(form.name) + " " + kReadShapes[i].name);
      EXPECT_EQ(expected[i], reader.read(kReadShapes[i]));
    }
  }
  if (GetParam().cached == Cached::Everything && !GetParam().atomic) {
    EXPECT_GT(doorCounters().hits, 0u) << "the door was never used";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, ReadsBehindADoor,
    testing::Values(
        Setting{"Cold", DoorMode::On, Cached::Nothing, false, "automatic"},
        Setting{"ReadBefore", DoorMode::On, Cached::WhatWasReadBefore, false, "automatic"},
        Setting{"Warm", DoorMode::On, Cached::Everything, false, "automatic"},
        Setting{"WarmOnOneRank", DoorMode::On, Cached::OnOneRank, false, "automatic"},
        Setting{"WarmWithAggregators", DoorMode::On, Cached::Everything, false, "enable"},
        Setting{"WarmWithoutAggregators", DoorMode::On, Cached::Everything, false, "disable"},
        Setting{"Random", DoorMode::Random, Cached::WhatWasReadBefore, false, "automatic"},
        Setting{"RandomWithAggregators", DoorMode::Random, Cached::WhatWasReadBefore, false,
                "enable"},
        Setting{"Atomic", DoorMode::On, Cached::Everything, true, "automatic"}),
    [](const auto &instance) { return instance.param.name; });

} // namespace
} // namespace forerun::test
