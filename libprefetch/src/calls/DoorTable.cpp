// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorTable.h"

#include "base/Options.h"
#include "calls/DoorCosts.h"
#include "calls/Guarded.h"
#include "calls/MpiFilePrefetch.h"
#include "calls/TheProcess.h"
#include "forerun/Clock.h"
#include "forerun/GuardedCopy.h"

#include <algorithm>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <pthread.h>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

// Weak: the library must also load where there is no patched MPI-IO.
extern "C" [[gnu::weak]] int forerun_mpiio_register(const forerun_door *door);
extern "C" [[gnu::weak]] int forerun_mpiio_watch(forerun_watcher *watcher, forerun_timer *timer);

namespace forerun {
namespace {

/// Replaces a ticket: the bytes of the missed read are not kept.
constexpr std::uint64_t kNoTicket = FORERUN_UNTIMED - 1;

/// One missed read in kTimedEvery is timed, until one is slow: enough for the throttle to see that
/// storage has become slow. (Two looks at the clock take a tenth of a read from the system's page
/// cache.)
constexpr std::uint32_t kTimedEvery = 16;

/// \p leaves: bytes for the Trail, so that its end is told in any case.
std::uint64_t sampledTicket(OpenFile &open, std::uint64_t offset, std::size_t length,
                            bool leaves = false) {
  const bool timed = open.stats != nullptr ||
                     theProcess().host().courier().throttle().suspectsLatency() ||
                     open.misses.fetch_add(1, std::memory_order_relaxed) % kTimedEvery == 0;
  if (timed || leaves)
    open.underWay.begin(offset, length);
  if (timed)
    return kNoTicket;
  return leaves ? FORERUN_UNTIMED : FORERUN_UNTOLD;
}

/// Under FORERUN_DEBUG: which hints of a file have no effect, and what would have one.
void tellIgnored(const Process &process, const std::vector<IgnoredHint> &ignored,
                 std::string_view path) {
  for (const IgnoredHint &each : ignored) {
    Message line;
    line << "hint " << each.hint << "=" << each.asked << " has no effect, ";
    if (each.scope == Scope::Process)
      line << "it concerns the whole process: set " << each.variable << "=" << each.asked;
    else if (each.scope == Scope::FirstFile)
      line << "the first file with a cache has decided on " << each.inForce
           << ": give the hint where that file is opened, or set " << each.variable << "="
           << each.asked;
    else
      line << "the file is open: give the hint to MPI_File_open";
    process.debug(line << " (file " << path << ")");
  }
}

void setMode(OpenFile &open, Cache &cache, CacheMode mode) {
  open.always.store(mode == CacheMode::On, std::memory_order_relaxed);
  if (mode == CacheMode::On)
    open.serve(cache);
}

/// A file of the MPI-IO implementation that has no descriptor.
class DoorReader final : public FileReader {
public:
  explicit DoorReader(const forerun_reader &reader) : reader_(reader) {}
  ~DoorReader() override { reader_.release(reader_.context); }
  DoorReader(const DoorReader &) = delete;
  DoorReader &operator=(const DoorReader &) = delete;

  ssize_t read(std::span<const iovec> buffers, std::uint64_t offset) override {
    return reader_.read(reader_.context, buffers.data(), static_cast<int>(buffers.size()), offset);
  }

private:
  const forerun_reader reader_;
};

/// Takes over the reader of \p file.
std::shared_ptr<FileReader> readerOf(const forerun_open_file &file) {
  if (file.reader == nullptr)
    return nullptr;
  try {
    return std::make_shared<DoorReader>(*file.reader);
  } catch (const std::bad_alloc &) {
    file.reader->release(file.reader->context);
    throw;
  }
}

FileSource sourceOf(const forerun_open_file &file, std::shared_ptr<FileReader> reader) {
  FileSource source{file.path, file.fd, file.file_system, std::move(reader)};
  if (file.reader != nullptr) {
    source.fileSystemId = file.reader->file_system;
    source.fileId = file.reader->file;
  }
  return source;
}

forerun_handle *openHandle(Process &process, Cache &cache, const forerun_open_file &file,
                           const FileSource &source, const Options &options) {
  CacheHost &host = process.host();
  OpenFiles &files = host.courier().files();
  const MutexLock lock(files.lifetimes());
  forerun_rc rc = FORERUN_OK;
  FileIdentity identity;
  CachedFile *const cached = identify(source, identity, rc) ? cache.open(source, rc) : nullptr;
  if (cached == nullptr) {
    process.debug(Message() << "no cache for " << file.path << ": " << forerun_rc_text(rc));
    return nullptr;
  }
  forerun_handle *const handle = host.handles().insert(file.fh);
  if (handle == nullptr) {
    process.debug(Message() << "no cache for " << file.path << ": too many files are open");
    cache.close(cached, file.fd);
    return nullptr;
  }
  try {
    handle->options = std::make_shared<const Options>(options);
    handle->identity = identity;
    handle->open = files.add(identity, cached, host.courier().recording().file(file.path));
    if (process.options().report != "0")
      handle->samples = std::make_unique<ReadSamples>();
  } catch (const std::bad_alloc &) {
    handle->options.reset();
    host.handles().remove(handle);
    cache.close(cached, file.fd);
    throw;
  }
  handle->file = cached;
  // Writes by a handle without a cache, which found no open file to tell, are older than this.
  cache.newEpoch(*cached, nullptr);
  setMode(*handle->open, cache, options.cache);
  if (files.distrusted())
    cache.setAtomic(*cached, true);
  if (file.name != 0) {
    handle->open->serve(cache); // from here on the cache is told of writes
    cache.share(*cached, file.name);
  }
  return handle;
}

/// Why the file cannot have a cache; null: it can.
const char *obstacle(const forerun_open_file &file) {
  if ((file.amode & MPI_MODE_WRONLY) != 0)
    return "it is open for writing only";
  if (file.fd < 0 && file.reader == nullptr)
    return "only MPI-IO can read its file system";
  return nullptr;
}

/// With a cache, or null.
forerun_handle *attachCached(Process &process, const forerun_open_file &file,
                             const FileSource &source) {
  if (const char *why = obstacle(file)) {
    process.debug(Message() << "no cache for " << file.path << " (" << file.file_system
                            << "): " << why);
    return nullptr;
  }
  process.mpiIsUp();
  const auto [cache, options, ignored] = process.host().admit(file.info);
  tellIgnored(process, ignored, file.path);
  return cache != nullptr ? openHandle(process, *cache, file, source, options) : nullptr;
}

/// For what is written through it; null if nothing can be, or if the file cannot be identified.
forerun_handle *attachUncached(Process &process, const forerun_open_file &file,
                               const FileSource &source) {
  forerun_rc rc = FORERUN_OK;
  FileIdentity identity;
  if ((file.amode & MPI_MODE_RDONLY) != 0 || (file.fd < 0 && file.reader == nullptr) ||
      !identify(source, identity, rc))
    return nullptr;
  auto handle = std::make_unique<forerun_handle>();
  handle->identity = identity;
  process.host().courier().files().addUncached(*handle);
  return handle.release();
}

/// Writes through a handle count even if there is no memory for its cache.
forerun_handle *attachWithOrWithout(Process &process, const forerun_open_file &file, int &serves) {
  const FileSource source = sourceOf(file, readerOf(file));
  try {
    if (forerun_handle *const cached = attachCached(process, file, source)) {
      serves = 1;
      return cached;
    }
  } catch (const std::bad_alloc &failure) {
    goOnWithout(failure);
  }
  return attachUncached(process, file, source);
}

forerun_handle *attachOrDistrust(Process &process, const forerun_open_file &file, int &serves) {
  try {
    return attachWithOrWithout(process, file, serves);
  } catch (const std::bad_alloc &failure) {
    goOnWithout(failure);
    CacheHost &host = process.host();
    if ((file.amode & MPI_MODE_RDONLY) == 0)
      host.courier().files().distrustAll(host.cache());
    return nullptr;
  }
}

forerun_handle *attach(const forerun_open_file *file, int *serves) {
  *serves = 0;
  Process &process = theProcess();
  if (!process.enabled()) {
    readerOf(*file); // which nobody keeps
    return nullptr;
  }
  OpenedFile opened{.file = file->fh, .path = file->path, .which = whichFile(file->fd)};
  process.noteOpened(opened);
  forerun_handle *const handle = attachOrDistrust(process, *file, *serves);
  if (*serves == 0)
    return handle;
  handle->amode = file->amode;
  handle->startByte.store(static_cast<std::uint64_t>(file->position));
  handle->fd.store(file->fd);
  PMPI_Comm_rank(file->comm, &handle->rank);
  PMPI_Comm_size(file->comm, &handle->ranks);
  if (handle->ranks > 1 && (file->amode & MPI_MODE_RDWR) != 0)
    process.host().courier().files().noteShared(*handle->open);
  handle->device.store(opened.which.device);
  handle->inode.store(opened.which.inode);
  OpenedFile cached = describe(*handle, handle->generation);
  cached.fd = -1; // when the other thread comes to it, the descriptor may be another file's
  cached.path = opened.path;
  cached.which = opened.which;
  process.noteOpened(cached);
  return handle;
}

/// The non-blocking writes through \p handle are complete, and an epoch begins.
void settle(CacheHost &host, forerun_handle &handle) {
  host.courier().files().withFileOf(handle, [&](OpenFile *open) {
    if (open != nullptr)
      open->settle(*host.cache(), handle);
    if (handle.file == nullptr)
      handle.posted = false;
  });
}

/// The handle's generation ends first: then nobody starts to use it. Waits for those that use it.
void detach(forerun_handle *h) {
  CacheHost &host = theProcess().host();
  OpenFiles &files = host.courier().files();
  settle(host, *h);
  if (h->file == nullptr) {
    files.dropUncached(*h);
    delete h;
    return;
  }
  Cache &cache = *host.cache();
  CachedFile *const cached = h->file;
  OpenFile *const open = h->open;
  const int fd = h->fd.load();
  const MutexLock lock(files.lifetimes());
  host.handles().remove(h);
  files.waitUntilUnused(*h);
  host.courier().noteEpoch(*open);
  if (h->atomic)
    cache.setAtomic(*cached, files.setAtomic(*h, false));
  h->file = nullptr;
  h->open = nullptr;
  h->options.reset();
  h->samples.reset();
  files.drop(open);
  cache.close(cached, fd);
}

/// The program has read from storage.
void noteMissed(forerun_handle *h, std::uint64_t offset, std::size_t got, std::uint64_t elapsedNs) {
  Courier &courier = theProcess().host().courier();
  courier.noteMissed(got, elapsedNs);
  if (FileStats *const stats = h->open->stats)
    courier.recording().noteRead(*stats, {Outcome::Miss, got, 0}, offset, elapsedNs);
}

void leaveTrail(const forerun_handle &h, const void *buffer, std::uint64_t offset,
                std::size_t length) {
  theProcess().host().trail().leave(
      {h.slot, h.generation.load(std::memory_order_relaxed), offset, length}, buffer);
}

/// Includes the cache's part of a read. \p waits: the program waits for the bytes.
int readThroughCache(forerun_handle *h, void *buffer, std::uint64_t offset, std::size_t length,
                     bool waits, std::size_t *got, std::uint64_t *ticket) {
  CacheHost &host = theProcess().host();
  Courier &courier = host.courier();
  Cache &cache = *host.cache();
  OpenFile &open = *h->open;
  const bool follows = waits && length <= OpenFile::kMostFollowedBytes &&
                       open.followed.load(std::memory_order_relaxed);
  const bool fetches = follows && (length > Trail::kMostBytes || !courier.lead().isResting());
  const std::uint64_t startNs = open.stats != nullptr || fetches ? nowNs() : 0;
  const ReadResult result = fetches ? cache.readOrFetch(*h->file, buffer, offset, length)
                                    : cache.read(*h->file, buffer, offset, length);
  if (result.outcome == Outcome::Miss) {
    const bool isKept = open.always.load(std::memory_order_relaxed);
    if (isKept)
      open.underWay.begin(offset, length);
    *ticket = isKept ? cache.ticket(*h->file) : sampledTicket(open, offset, length, follows);
    return 0;
  }
  *got = result.bytes;
  if (fetches && result.bytes == length)
    leaveTrail(*h, buffer, offset, length);
  if (result.fetched) {
    noteMissed(h, offset, result.bytes, nowNs() - startNs);
    return 1;
  }
  courier.noteServed(result);
  if (open.stats != nullptr)
    courier.recording().noteRead(*open.stats, result, offset, nowNs() - startNs);
  return 1;
}

int read(forerun_handle *h, void *buffer, std::uint64_t offset, std::size_t length,
         std::size_t *got, std::uint64_t *ticket) {
  if (!h->open->serving.load(std::memory_order_relaxed)) {
    *ticket = sampledTicket(*h->open, offset, length);
    return 0;
  }
  const bool waits = *ticket != FORERUN_UNTOLD;
  return readThroughCache(h, buffer, offset, length, waits, got, ticket);
}

int copy(void *to, const void *from, std::size_t length) {
  return copyGuarded(to, from, length) ? 1 : 0;
}

void missed(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length,
            std::size_t got, std::uint64_t ticket, std::uint64_t elapsedNs) {
  if (ticket < kNoTicket && h->open->always.load(std::memory_order_relaxed))
    theProcess().host().cache()->fill(*h->file, ticket, buffer, offset, got, got < length);
  if (got == length && h->open->followed.load(std::memory_order_relaxed))
    leaveTrail(*h, buffer, offset, length);
  h->open->underWay.end();
  if (ticket != FORERUN_UNTIMED)
    noteMissed(h, offset, got, elapsedNs);
}

void started(forerun_handle *h, std::uint64_t offset, std::size_t length) {
  if (FileStats *const stats = h->open->stats)
    theProcess().host().courier().recording().noteStarted(*stats, offset, length);
}

int covered(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  if (!h->open->serving.load(std::memory_order_relaxed))
    return 0;
  Cache &cache = *theProcess().host().cache();
  return std::all_of(ranges, ranges + count, [&](const forerun_range &range) {
    return cache.covered(*h->file, range.offset, range.length);
  });
}

/// Tells the cache of a blocking write, if it must hear of it, and then what waits for the write.
template <typename Tell>
void tellOfWrite(forerun_handle &h, std::span<const forerun_range> ranges, const Tell &tell) {
  CacheHost &host = theProcess().host();
  Courier &courier = host.courier();
  courier.files().withFileOf(h, [&](OpenFile *open) {
    if (open != nullptr && open->mustHearOfWrite())
      tell(*host.cache(), *open->cached);
    for (std::size_t n = 0; open != nullptr && n < ranges.size(); ++n)
      courier.noteWritten(*open, ranges[n].offset, ranges[n].length);
  });
}

void written(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  tellOfWrite(*h, {ranges, count}, [&](Cache &cache, CachedFile &file) {
    std::for_each(ranges, ranges + count, [&](const forerun_range &range) {
      cache.invalidate(file, range.offset, range.length);
    });
  });
}

void wrote(forerun_handle *h, const void *buffer, std::uint64_t offset, std::size_t length) {
  const forerun_range range{offset, length};
  tellOfWrite(*h, {&range, 1},
              [&](Cache &cache, CachedFile &file) { cache.update(file, offset, buffer, length); });
}

/// With a pre-execution thread the file counts as announced.
void writing(forerun_handle *h, const forerun_range *ranges, std::size_t count) {
  Process &process = theProcess();
  CacheHost &host = process.host();
  host.courier().files().withFileOf(*h, [&](OpenFile *open) {
    if (h->file == nullptr)
      h->posted = true;
    if (open == nullptr)
      return;
    std::for_each(ranges, ranges + count, [&](const forerun_range &range) {
      host.courier().noteWritten(*open, range.offset, range.length);
    });
    if (process.progress() == nullptr && open->leaveUnknown(*h))
      return;
    std::for_each(ranges, ranges + count, [&](const forerun_range &range) {
      host.cache()->setVolatile(*open->cached, h, range.offset, range.length);
    });
  });
}

void epoch(forerun_handle *h, int settled) {
  CacheHost &host = theProcess().host();
  if (settled != 0)
    settle(host, *h);
  host.courier().files().withFileOf(*h, [&](OpenFile *open) {
    if (open != nullptr && settled == 0)
      host.cache()->newEpoch(*open->cached, nullptr);
    if (open != nullptr)
      host.courier().noteEpoch(*open);
  });
}

void atomicity(forerun_handle *h, int atomic) {
  CacheHost &host = theProcess().host();
  host.cache()->setAtomic(*h->file, host.courier().files().setAtomic(*h, atomic != 0));
}

void view(forerun_handle *h, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  setHandView(theProcess().host().handles(), *h, displacement, etype, filetype);
}

/// After the open a file may still change between cache=auto and cache=on.
void setInfo(forerun_handle *h, MPI_Info users) {
  Process &process = theProcess();
  Cache &cache = *process.host().cache();
  std::vector<IgnoredHint> ignored;
  const Options options = h->options->changed(users, ignored);
  tellIgnored(process, ignored, cache.path(*h->file));
  if (options.cache != h->options->cache)
    setMode(*h->open, cache, options.cache);
  h->options = std::make_shared<const Options>(options);
}

void getInfo(forerun_handle *h, MPI_Info used) { h->options->writeTo(used); }

/// The first that MPI-IO asks of the door: MPI is there from now on.
int meets(int amode, MPI_Info users) {
  Process &process = theProcess();
  return process.enabled() ? static_cast<int>(process.host().meets(amode, users)) : 0;
}

std::uint64_t meet(MPI_Comm comm, int amode, MPI_Info users, int least) {
  return theProcess().host().meet(comm, amode, users, static_cast<CacheHost::Meets>(least));
}

constexpr forerun_door kDoor = {
    .version = FORERUN_DOOR_VERSION,
    .attach = Guarded<attach>::call,
    .detach = Guarded<detach>::call,
    .read = Guarded<read>::call,
    .copy = Guarded<copy>::call,
    .missed = Guarded<missed>::call,
    .started = Guarded<started>::call,
    .covered = Guarded<covered>::call,
    .written = Guarded<written>::call,
    .wrote = Guarded<wrote>::call,
    .writing = Guarded<writing>::call,
    .epoch = Guarded<epoch>::call,
    .atomicity = Guarded<atomicity>::call,
    .view = Guarded<view>::call,
    .set_info = Guarded<setInfo>::call,
    .get_info = Guarded<getInfo>::call,
    .meets = Guarded<meets>::call,
    .meet = Guarded<meet>::call,
    .costs = nullptr,
};

void noteRead(MPI_File fh, forerun_pointer pointer, MPI_Offset offset, MPI_Count count,
              MPI_Datatype datatype) {
  CacheHost &host = theProcess().host();
  if (Courier *courier = host.courierIfMade())
    courier->recording().noteCall();
  if (const Cache *cache = host.cache(); cache != nullptr && theCheck() != nullptr)
    theCheck()->noteRead(host.handles(), *cache, fh, pointer, offset, count, datatype);
}

/// The library that the program's calls of MPI-IO go to, if that is not the one with the door.
const char *otherMpiIo() {
  Dl_info called{}, patched{};
  void *const open = dlsym(RTLD_DEFAULT, "MPI_File_open");
  const bool isKnown =
      open != nullptr && dladdr(open, &called) != 0 &&
      dladdr(reinterpret_cast<const void *>(&forerun_mpiio_register), &patched) != 0;
  return isKnown && called.dli_fbase != patched.dli_fbase ? called.dli_fname : nullptr;
}

void timed(int begins) {
  if (Courier *courier = theProcess().host().courierIfMade())
    courier->recording().noteTimed(begins != 0);
}

/// Read calls are timed for a report, also while Forerun is off.
void watch(Process &process) {
  const bool reports = process.options().report != "0";
  const bool watches = process.enabled() && (reports || theCheck() != nullptr);
  if (forerun_mpiio_watch == nullptr || (!watches && !reports))
    return;
  const bool reported = forerun_mpiio_watch(watches ? Guarded<noteRead>::call : nullptr,
                                            reports ? Guarded<timed>::call : nullptr) == 0;
  if (reports && reported)
    process.timeReads();
}

void hang() {
  Process &process = theProcess();
  watch(process);
  if (!process.enabled())
    return;
  static forerun_door table = kDoor;
  if (process.options().report != "0")
    table.costs = &doorCosts();
  const bool registered = forerun_mpiio_register(&table) == 0;
  process.noteDoor(registered);
  if (!registered)
    process.debug(
        Message() << "the patched MPI-IO was built for another version of Forerun, or of MPI");
  else if (const char *other = otherMpiIo())
    process.debug(Message() << "calls of MPI-IO go to " << other
                            << ", which comes before the patched MPI-IO");
}

[[gnu::constructor]] void hangTheDoor() {
  pthread_atfork(nullptr, nullptr, [] { inForkedChild.store(true); });
  if (forerun_mpiio_register != nullptr)
    guarded(hang);
}

} // namespace

const forerun_door &door() { return kDoor; }

} // namespace forerun
