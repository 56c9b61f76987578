// SPDX-License-Identifier: Apache-2.0
#include "calls/PreTwins.h"

#include "base/WhichFile.h"
#include "calls/Guarded.h"
#include "calls/PreCall.h"
#include "calls/TheProcess.h"
#include "channels/RangeRecords.h"
#include "files/HandleTable.h"
#include "forerun/runtime.h"
#include "thread/Entry.h"
#include "twin/LoadTwin.h"
#include "twin/LoadedLibrary.h"
#include "twin/Redirect.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstring>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace forerun {
namespace {

/// Libraries that open files themselves: without its module, a twin would do what the program does.
struct Driven {
  std::string_view library;
  const char *function; ///< defined by it, and by no library on top
  const char *below;    ///< the driven library that it calls, and whose twin it uses
};
constexpr std::array<Driven, 3> kDriven{{{"hdf5", "H5open", nullptr},
                                         {"netcdf", "nc_inq_libvers", "hdf5"},
                                         {"pnetcdf", "ncmpi_inq_libvers", nullptr}}};

constexpr std::size_t kStagingBytes = std::size_t{256} << 10;

PreTwins &of(void *self) { return *static_cast<PreTwins *>(self); }

/// From the twin itself if the module has no replacement.
void *symbolOf(const LinkNamespace &twin, const char *name) {
  void *const ours = twin.symbol(inPlaceOf(name).c_str());
  return ours != nullptr ? ours : twin.symbol(name);
}

void say(const Message &message) { theProcess().debug(message); }

} // namespace

PreTwins::PreTwins(PreThread &thread)
    : thread_(thread), host_{.context = this,
                             .size = size,
                             .fetch = fetch,
                             .announce = announce,
                             .opened = opened,
                             .find = openOf,
                             .rank = rank,
                             .dirty = dirty,
                             .announced = announced,
                             .await = await,
                             .own = own,
                             .end = end} {}

/// Where the program needs all cores, not before there is latency to hide: a twin may cost a short
/// program more than it saves. At most for a time, since reads are not always seen: others may read
/// for this process, or MPI in a non-blocking call.
void PreTwins::waitUntilWorthwhile() {
  constexpr std::uint64_t kGlanceNs = 10'000'000;
  constexpr unsigned kGlances = 100;
  if (theProcess().hasCoresToSpare())
    return;
  FirstLatency &latency = theProcess().host().courier().throttle().first();
  for (unsigned n = 0; n < kGlances && !thread_.forwarding().isFilling(); ++n)
    if (latency.awaitFor(kGlanceNs))
      return;
}

void *PreTwins::find(const char *library, const char *name) {
  if (twins_.empty())
    waitUntilWorthwhile();
  void *found = nullptr;
  {
    const PreThread::Unstoppable unstoppable; // it allocates, and the loader has a lock
    std::string whyNot;
    found = lookUp(library, name, whyNot);
    if (found == nullptr)
      whyEnded_ = "no twin of " + std::string(library) + ": " + whyNot;
  }
  if (found == nullptr)
    thread_.end(whyEnded_.c_str());
  return found;
}

void *PreTwins::lookUp(const char *library, const char *name, std::string &whyNot) {
  const Twin twin = twinOf(library, name, whyNot);
  if (twin == nullptr)
    return nullptr;
  void *const found = symbolOf(*twin, name);
  return found != nullptr ? found : lookFurther(*twin, name, whyNot);
}

/// It may be a function of a library on top (H5LTread_dataset) that is not loaded yet.
void *PreTwins::lookFurther(LinkNamespace &twin, const char *name, std::string &whyNot) {
  const LoadedLibrary original = libraryThatDefines(name, whyNot);
  if (original.path.empty() || !twin.loadOnTop({original.path, {}, {}}, whyNot))
    return nullptr;
  void *const found = symbolOf(twin, name);
  if (found == nullptr)
    whyNot = std::string("it has no ") + name;
  return found;
}

PreTwins::Twin PreTwins::twinOf(const std::string &library, const char *name, std::string &whyNot) {
  const auto known = twins_.find(library);
  return known != twins_.end() ? known->second : load(library, name, whyNot);
}

PreTwins::Twin PreTwins::load(const std::string &library, const char *name, std::string &whyNot) {
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  const auto *const driven = std::ranges::find(kDriven, library, &Driven::library);
  const char *const own = driven != kDriven.end() ? driven->function : name;
  const char *const below = driven != kDriven.end() ? driven->below : nullptr;
  const LoadedLibrary original = libraryThatDefines(own, whyNot);
  const Twin twin =
      below != nullptr ? twinOf(below, nullptr, whyNot) : std::make_shared<LinkNamespace>();
  if (original.path.empty() || twin == nullptr ||
      !loadTwin(*twin, {library, original.path, own, below != nullptr}, whyNot))
    return nullptr;
  twin->enterThread();
  auto *const begin = reinterpret_cast<const char *(*)(const forerun_twin_host *)>(
      twin->symbol(("forerun_" + library + "_begin").c_str()));
  const char *const refused = begin != nullptr          ? begin(&host_)
                              : driven != kDriven.end() ? "it has no module"
                                                        : nullptr;
  if (refused != nullptr) {
    whyNot = refused;
    return nullptr;
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - before);
  say(Message() << "a twin of " << original.path << " has been loaded, in " << took.count()
                << " ms");
  return twins_[library] = twin;
}

// ---- what modules ask ----

const OpenedFile *PreTwins::at(std::uint64_t file) const {
  return file != 0 && file <= files_.size() ? &files_[file - 1] : nullptr;
}

std::uint64_t PreTwins::opened(void *self) {
  PreTwins &twins = of(self);
  const CallId call = twins.thread_.current();
  if (!twins.thread_.progress().hasPassed(call))
    return 0;
  const OpenedFile opened = twins.thread_.progress().opened(call);
  if (opened.file == MPI_FILE_NULL)
    return 0;
  const PreThread::Unstoppable unstoppable;
  twins.files_.push_back(opened);
  return twins.files_.size();
}

/// Whether the twin has it already. The twin opens files as often as the program does, and in the
/// same order: a file that the program opened for another open of the twin will be closed by then.
bool PreTwins::isKnown(const OpenedFile &opened) const {
  return std::any_of(files_.rbegin(), files_.rend(), [&](const OpenedFile &each) {
    return each.slot == opened.slot && each.generation == opened.generation;
  });
}

std::uint64_t PreTwins::openOf(void *self, const char *name, std::uint64_t before) {
  PreTwins &twins = of(self);
  const HandleTable &handles = theProcess().host().handles();
  const OpenedFile *const last = twins.at(before);
  if (last != nullptr && handles.at(last->slot, last->generation) != nullptr)
    return before;
  OpenedFile found = handles.openOf(
      whichFile(name), [&](const OpenedFile &opened) { return !twins.isKnown(opened); });
  if (found.file == MPI_FILE_NULL)
    return 0;
  const PreThread::Unstoppable unstoppable;
  found.path = twins.names_.emplace(name).first->c_str();
  twins.thread_.files().open(found);
  twins.files_.push_back(found);
  return twins.files_.size();
}

int PreTwins::rank(void *self, std::uint64_t file, int *ranks) {
  const OpenedFile *const opened = of(self).at(file);
  *ranks = opened != nullptr ? opened->ranks : 1;
  return opened != nullptr ? opened->rank : 0;
}

int PreTwins::size(void *self, std::uint64_t file, std::uint64_t *bytes) {
  const OpenedFile *const opened = of(self).at(file);
  struct stat status{};
  if (opened == nullptr || !opened->lookUp(status))
    return 0;
  *bytes = static_cast<std::uint64_t>(status.st_size);
  return 1;
}

int PreTwins::fetch(void *self, std::uint64_t file, std::uint64_t offset, void *buffer,
                    std::size_t length, std::size_t *got) {
  PreTwins &twins = of(self);
  const OpenedFile *const opened = twins.at(file);
  twins.push();
  return opened != nullptr &&
                 twins.bring(opened->file, offset, static_cast<std::byte *>(buffer), length, *got)
             ? 1
             : 0;
}

/// By way of the thread's own memory: a clone may not write to the twin's.
bool PreTwins::bring(MPI_File file, std::uint64_t offset, std::byte *buffer, std::size_t length,
                     std::size_t &got) {
  if (staging_ == nullptr)
    staging_ = static_cast<std::byte *>(thread_.arena().allocate(kStagingBytes));
  if (staging_ == nullptr)
    return false;
  for (got = 0; got < length;) {
    const std::size_t piece = std::min(length - got, kStagingBytes);
    Brought brought{0, true};
    PreCall::current(thread_).onFile(file, [&](PrefetchCall &call) {
      brought = call.bringAt(static_cast<MPI_Offset>(offset + got), staging_,
                             static_cast<int>(piece), MPI_BYTE);
    });
    if (brought.failed)
      return false;
    std::memcpy(buffer + got, staging_, brought.bytes);
    got += brought.bytes;
    if (brought.bytes < piece)
      break; // end of the file
  }
  return true;
}

/// Pieces less than a sector apart are merged, since the cache fetches whole sectors; with
/// FORERUN_CHECK they are told as they are.
void PreTwins::add(const Pending &more, std::uint64_t apart) {
  const std::uint64_t end = pending_.offset + pending_.length;
  if (pending_.length > 0 && pending_.file == more.file && pending_.isDirty == more.isDirty &&
      more.offset >= end && more.offset - end < apart) {
    pending_.length = more.offset + more.length - pending_.offset;
    return;
  }
  push();
  pending_ = more;
}

void PreTwins::announce(void *self, std::uint64_t file, std::uint64_t offset,
                        std::uint64_t length) {
  if (const OpenedFile *const opened = of(self).at(file))
    of(self).add({.file = opened->file, .offset = offset, .length = length},
                 theCheck() != nullptr ? 1 : RangeRecords::kSectorBytes);
}

void PreTwins::dirty(void *self, std::uint64_t file, std::uint64_t offset, std::uint64_t length) {
  if (const OpenedFile *const opened = of(self).at(file))
    of(self).add({.file = opened->file, .offset = offset, .length = length, .isDirty = true}, 1);
}

void PreTwins::push() {
  while (pending_.length > 0) {
    const auto piece = std::min<std::uint64_t>(pending_.length, INT_MAX);
    const auto offset = static_cast<MPI_Offset>(pending_.offset);
    PreCall::current(thread_).onFile(pending_.file, [&](PrefetchCall &call) {
      if (pending_.isDirty)
        call.writeAt(offset, piece);
      else
        call.readAt(offset, piece);
    });
    pending_.offset += piece;
    pending_.length -= piece;
  }
}

void PreTwins::announced(void *self) { of(self).push(); }

void PreTwins::await(void *self) {
  of(self).push();
  PreThread &thread = of(self).thread_;
  thread.waitUntilPassed(thread.current());
}

void PreTwins::own(void *self, void *to, std::size_t bytes) { of(self).thread_.own(to, bytes); }

void PreTwins::end(void *self, const char *why) { of(self).thread_.end(why); }

} // namespace forerun

extern "C" void *forerun_pre_twin(const char *library, const char *name) {
  forerun::PreThread *const self = forerun::entered<forerun::Entry::twin>();
  if (self == nullptr)
    return nullptr;
  void *found = nullptr;
  forerun::guarded([&] {
    static forerun::PreTwins *const kTwins = [&] {
      const forerun::PreThread::Unstoppable unstoppable;
      return new forerun::PreTwins(*self); // a process has one such thread
    }();
    found = kTwins->find(library, name);
  });
  return found;
}
