// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorOpens.h"

#include "base/Options.h"
#include "calls/DoorWrites.h"
#include "calls/Guarded.h"
#include "calls/MpiFilePrefetch.h"
#include "calls/TheProcess.h"

#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace forerun {
namespace {

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

} // namespace

namespace entries {

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

void view(forerun_handle *h, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  setHandView(theProcess().host().handles(), *h, displacement, etype, filetype);
}

} // namespace entries
} // namespace forerun
