// SPDX-License-Identifier: Apache-2.0
#include "calls/Guarded.h"
#include "calls/ProgramHdf5.h"
#include "calls/TheProcess.h"
#include "forerun/Mutex.h"
#include "thread/PreThread.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// H5Dprefetch; see forerun/hdf5.h.

namespace forerun {
namespace {

/// State shared by calls of H5Dprefetch. Made by the first one.
class Hdf5Calls {
public:
  Hdf5Calls() {
    std::string whyNot;
    library_ = std::make_unique<ProgramHdf5>(whyNot);
    if (library_->path().empty())
      say("nothing of HDF5 is prefetched: " + whyNot);
  }

  void announce(const ProgramHdf5::Arguments &arguments) {
    if (library_->path().empty())
      return;
    const char *whyNot = nullptr;
    std::optional<ProgramHdf5::Question> question = library_->ask(arguments, whyNot);
    if (!question)
      return refuse(whyNot);
    const forerun_handle *const handle = theProcess().host().handles().find(question->file);
    if (handle == nullptr)
      return refuse("the file was not opened by MPI-IO (H5Pset_fapl_mpio), or has no cache");
    question->read.slot = handle->slot;
    question->read.generation = handle->generation.load(std::memory_order_acquire);
    theProcess().hdf5(library_->path()).post(std::move(question->read));
  }

private:
  static void say(std::string_view what) { theProcess().debug(Message() << what); }

  /// Says each reason once.
  void refuse(std::string_view why) {
    const MutexLock lock(mutex_);
    if (std::ranges::find(said_, why) != said_.end())
      return;
    said_.push_back(why);
    say("a read of HDF5 is not prefetched: " + std::string(why));
  }

  std::unique_ptr<const ProgramHdf5> library_;
  Mutex mutex_;
  std::vector<std::string_view> said_ FORERUN_GUARDED_BY(mutex_);
};

Hdf5Calls &theHdf5Calls() {
  static auto &made = *new Hdf5Calls; // library threads may outlive main
  return made;
}

} // namespace
} // namespace forerun

/// A pre-execution thread, which may be ended anywhere, must not enter the program's HDF5.
extern "C" [[gnu::visibility("default")]] int
// NOLINTNEXTLINE(readability-identifier-naming): in HDF5's style
H5Dprefetch(forerun::Hid dataset, forerun::Hid memoryType, forerun::Hid memorySpace,
            forerun::Hid fileSpace, forerun::Hid transfer) {
  forerun::guarded([&] {
    if (forerun::theProcess().enabled() && forerun::PreThread::self() == nullptr)
      forerun::theHdf5Calls().announce({dataset, memoryType, memorySpace, fileSpace, transfer});
  });
  return 0;
}
