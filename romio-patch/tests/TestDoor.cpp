// SPDX-License-Identifier: Apache-2.0
#include "TestDoor.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using forerun::test::DoorCounters;
using forerun::test::DoorMode;

constexpr std::uint64_t kSectorBytes = 4096;

[[noreturn]] void die(const char *what) {
  std::fprintf(stderr, "test door: %s\n", what);
  std::abort();
}

struct Sector {
  std::array<char, kSectorBytes> bytes;
  std::size_t valid = 0; ///< fewer than all: the file ends here
};

struct Range {
  std::uint64_t begin, end;
  forerun_handle *writer;
};

/// One file, however often it is open.
struct File {
  std::map<std::uint64_t, Sector> sectors;
  std::vector<Range> beingWritten; ///< until their writer has settled
  std::uint64_t generation = 0;    ///< of its contents
  int handles = 0;

  bool isBeingWritten(std::uint64_t begin, std::uint64_t end) const {
    return std::any_of(beingWritten.begin(), beingWritten.end(),
                       [&](const Range &r) { return r.begin < end && begin < r.end; });
  }

  void invalidate(std::uint64_t begin, std::uint64_t end) {
    generation++;
    // What is known of the end of the file is no longer true either.
    std::erase_if(sectors, [&](const auto &entry) {
      const std::uint64_t start = entry.first * kSectorBytes;
      return entry.second.valid < kSectorBytes || (start < end && begin < start + kSectorBytes);
    });
  }

  /// Whole sectors stay, updated with these bytes.
  void renew(std::uint64_t offset, const char *bytes, std::size_t length) {
    if (isBeingWritten(offset, offset + length))
      return invalidate(offset, offset + length);
    generation++;
    std::erase_if(sectors, [](const auto &entry) { return entry.second.valid < kSectorBytes; });
    for (auto &[number, sector] : sectors) {
      const std::uint64_t start = number * kSectorBytes;
      const std::uint64_t from = std::max(start, offset);
      const std::uint64_t to = std::min(start + kSectorBytes, offset + length);
      if (from < to)
        std::copy_n(bytes + (from - offset), to - from, sector.bytes.begin() + (from - start));
    }
  }

  void forget() {
    generation++;
    sectors.clear();
  }

  void store(std::uint64_t offset, const char *bytes, std::size_t length, bool endOfFile) {
    const std::uint64_t end = offset + length;
    if (isBeingWritten(offset, end + 1))
      return;
    for (std::uint64_t s = (offset + kSectorBytes - 1) / kSectorBytes; s * kSectorBytes <= end;
         s++) {
      const std::uint64_t start = s * kSectorBytes;
      const std::size_t valid = std::min(kSectorBytes, end - start);
      if (valid < kSectorBytes && !endOfFile)
        return;
      Sector &sector = sectors[s];
      std::memcpy(sector.bytes.data(), bytes + (start - offset), valid);
      sector.valid = valid;
      if (valid < kSectorBytes)
        return;
    }
  }

  /// The number of bytes that can be served, or -1.
  long load(std::uint64_t offset, char *bytes, std::size_t length) const {
    if (isBeingWritten(offset, offset + length))
      return -1;
    std::size_t got = 0;
    while (got < length) {
      const auto entry = sectors.find((offset + got) / kSectorBytes);
      if (entry == sectors.end())
        return -1;
      const std::size_t skip = (offset + got) % kSectorBytes;
      const std::size_t there = entry->second.valid > skip ? entry->second.valid - skip : 0;
      const std::size_t part = std::min(there, length - got);
      if (bytes)
        std::memcpy(bytes + got, entry->second.bytes.data() + skip, part);
      got += part;
      if (part < length && entry->second.valid < kSectorBytes)
        break;
    }
    return static_cast<long>(got);
  }
};

class Door {
public:
  std::mutex mutex;
  std::condition_variable fetched;
  DoorMode mode = DoorMode::Off;
  DoorCounters counters{};
  bool lies = false;
  std::minstd_rand random{12345};
  std::set<forerun_handle *> handles;
  std::map<std::pair<dev_t, ino_t>, std::shared_ptr<File>> files;

  bool chance(unsigned oneIn) { return mode == DoorMode::Random && random() % oneIn == 0; }
};

Door &door() {
  static Door instance;
  return instance;
}

} // namespace

struct forerun_handle {
  MPI_File fh;
  bool serves; ///< otherwise it exists only for its writes
  int fd;
  bool atomic;
  int fetching; ///< prefetches in flight on fd
  std::pair<dev_t, ino_t> id;
  std::shared_ptr<File> file;
};

namespace {

using Lock = std::unique_lock<std::mutex>;

void check(forerun_handle *h) {
  if (!door().handles.count(h))
    die("called with a handle that is not attached");
}

void checkServes(forerun_handle *h) {
  check(h);
  if (!h->serves)
    die("asked about a file of which it keeps nothing");
}

/// Reads ahead on a descriptor, without the door's lock while it reads.
void prefetch(forerun_handle *h, std::uint64_t offset, std::uint64_t length, Lock &lock) {
  const std::uint64_t generation = h->file->generation;
  std::vector<char> bytes(length);
  h->fetching++;
  lock.unlock();
  const ssize_t got = pread(h->fd, bytes.data(), length, static_cast<off_t>(offset));
  lock.lock();
  h->fetching--;
  door().fetched.notify_all();
  if (got >= 0 && generation == h->file->generation)
    h->file->store(offset, bytes.data(), static_cast<std::size_t>(got),
                   static_cast<std::size_t>(got) < length);
}

forerun_handle *attach(const forerun_open_file *source, int *serves) {
  const Lock lock(door().mutex);
  *serves = (source->amode & MPI_MODE_WRONLY) == 0;
  if (!source->path || !source->file_system || source->comm == MPI_COMM_NULL)
    die("attached without path, file system or communicator");
  if (std::strstr(source->path, ".shfp"))
    die("the file of the shared file pointer was attached");
  if (source->reader != nullptr)
    source->reader->release(source->reader->context);
  if (door().mode == DoorMode::Off || source->fd < 0) {
    *serves = 0;
    return nullptr;
  }
  struct stat status;
  if (fstat(source->fd, &status) != 0)
    die("attached with a bad descriptor");
  auto *h = new forerun_handle{
      source->fh, *serves != 0, source->fd, false, 0, {status.st_dev, status.st_ino}, {}};
  std::shared_ptr<File> &file = door().files[h->id];
  if (!file)
    file = std::make_shared<File>();
  h->file = file;
  file->handles++;
  file->forget();
  door().handles.insert(h);
  door().counters.attached++;
  return h;
}

void endWrites(forerun_handle *h) {
  std::erase_if(h->file->beingWritten, [&](const Range &range) { return range.writer == h; });
}

void detach(forerun_handle *h) {
  Lock lock(door().mutex);
  check(h);
  door().fetched.wait(lock, [&] { return h->fetching == 0; });
  if (fcntl(h->fd, F_GETFD) < 0)
    die("detached after its descriptor was closed");
  endWrites(h);
  if (--h->file->handles == 0)
    door().files.erase(h->id);
  door().handles.erase(h);
  door().counters.detached++;
  delete h;
}

int readDoor(forerun_handle *h, void *buffer, std::uint64_t offset, std::size_t length,
             std::size_t *got, std::uint64_t *ticket) {
  const Lock lock(door().mutex);
  checkServes(h);
  if (h->atomic)
    die("read in atomic mode");
  door().counters.reads++;
  const long served = h->file->load(offset, static_cast<char *>(buffer), length);
  if (served < 0 || door().lies || door().chance(4)) {
    std::memset(buffer, 0x5a, length);
    *ticket = h->file->generation;
    return 0;
  }
  door().counters.hits++;
  *got = static_cast<std::size_t>(served);
  return 1;
}

int copyDoor(void *to, const void *from, std::size_t length) {
  std::memcpy(to, from, length);
  return 1;
}

void missed(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length,
            std::size_t got, std::uint64_t ticket, std::uint64_t) {
  const Lock lock(door().mutex);
  checkServes(h);
  if (got > length)
    die("missed more than was asked");
  door().counters.misses++;
  if (ticket == h->file->generation && !door().chance(2))
    h->file->store(offset, static_cast<const char *>(buffer), got, got < length);
}

void started(forerun_handle *h, std::uint64_t /*offset*/, std::size_t length) {
  const Lock lock(door().mutex);
  checkServes(h);
  if (length == 0)
    die("a read of nothing was started");
  door().counters.started++;
}

int covered(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  const Lock lock(door().mutex);
  checkServes(h);
  door().counters.coveredAsked++;
  if (door().lies || door().chance(8))
    return 1;
  return std::all_of(ranges, ranges + count, [&](const forerun_range &r) {
    return h->file->load(r.offset, nullptr, r.length) >= 0;
  });
}

void written(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  const Lock lock(door().mutex);
  check(h);
  door().counters.written += count;
  for (std::size_t i = 0; i < count; i++)
    h->file->invalidate(ranges[i].offset, ranges[i].offset + ranges[i].length);
}

/// The bytes go into a copy of the file: they have to be the bytes that the file has.
void wrote(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length) {
  const Lock lock(door().mutex);
  check(h);
  if (length == 0)
    die("a write of nothing was told");
  door().counters.written++;
  h->file->renew(offset, static_cast<const char *>(buffer), length);
}

void writing(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  const Lock lock(door().mutex);
  check(h);
  door().counters.writing += count;
  for (std::size_t i = 0; i < count; i++) {
    const Range range{ranges[i].offset, ranges[i].offset + ranges[i].length, h};
    h->file->invalidate(range.begin, range.end);
    h->file->beingWritten.push_back(range);
  }
}

void epoch(forerun_handle *h, int settled) {
  const Lock lock(door().mutex);
  check(h);
  door().counters.epochs++;
  h->file->forget();
  if (settled != 0)
    endWrites(h);
}

void atomicity(forerun_handle *h, int atomic) {
  const Lock lock(door().mutex);
  checkServes(h);
  h->atomic = atomic != 0;
  h->file->forget();
}

void view(forerun_handle *h, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  const Lock lock(door().mutex);
  checkServes(h);
  if (displacement < 0 || etype == MPI_DATATYPE_NULL || filetype == MPI_DATATYPE_NULL)
    die("told of a view that is none");
  door().counters.views++;
}

void setInfo(forerun_handle *h, MPI_Info) {
  const Lock lock(door().mutex);
  checkServes(h);
}

void getInfo(forerun_handle *h, MPI_Info used) {
  const Lock lock(door().mutex);
  checkServes(h);
  MPI_Info_set(used, "forerun_cache", "test");
}

const forerun_door kDoor = {FORERUN_DOOR_VERSION,
                            attach,
                            detach,
                            readDoor,
                            copyDoor,
                            missed,
                            started,
                            covered,
                            written,
                            wrote,
                            writing,
                            epoch,
                            atomicity,
                            view,
                            setInfo,
                            getInfo,
                            nullptr,
                            nullptr,
                            nullptr};

/// Injects prefetches of random sectors.
class RandomPrefetches {
public:
  ~RandomPrefetches() {
    if (!thread_.joinable())
      return;
    {
      const Lock lock(door().mutex);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  void start() {
    thread_ = std::thread([this] { run(); });
  }

private:
  void run() {
    Lock lock(door().mutex);
    while (!stop_) {
      wake_.wait_for(lock, std::chrono::microseconds(500));
      if (door().handles.empty())
        continue;
      auto h = door().handles.begin();
      std::advance(h, door().random() % door().handles.size());
      if ((*h)->serves && !(*h)->atomic)
        prefetch(*h, door().random() % 64 * kSectorBytes, 4 * kSectorBytes, lock);
    }
  }

  std::thread thread_;
  std::condition_variable wake_;
  bool stop_ = false;
};

/// What a preloaded door does for a program that knows nothing of it.
class Preloaded {
public:
  Preloaded() {
    const char *mode = std::getenv("FORERUN_TEST_DOOR");
    if (!mode)
      return;
    if (forerun_mpiio_register(&kDoor) != 0)
      die("not registered");
    door().mode = std::strcmp(mode, "on") == 0       ? DoorMode::On
                  : std::strcmp(mode, "random") == 0 ? DoorMode::Random
                                                     : DoorMode::Off;
    if (door().mode == DoorMode::Random)
      prefetches_.start();
  }

private:
  RandomPrefetches prefetches_;
};

const Preloaded kPreloaded;

} // namespace

namespace forerun::test {

void setDoorMode(DoorMode mode) {
  forerun_mpiio_register(&kDoor);
  const Lock lock(door().mutex);
  door().mode = mode;
}

DoorCounters doorCounters() {
  const Lock lock(door().mutex);
  return door().counters;
}

void emptyDoor() {
  const Lock lock(door().mutex);
  for (auto &entry : door().files)
    entry.second->forget();
}

void fillDoor(MPI_File fh, std::uint64_t offset, std::uint64_t length) {
  Lock lock(door().mutex);
  for (forerun_handle *h : door().handles)
    if (h->fh == fh)
      return prefetch(h, offset, length, lock);
  die("told to fill for a file that is not attached");
}

void setDoorLies(bool lies) {
  const Lock lock(door().mutex);
  door().lies = lies;
}

} // namespace forerun::test
