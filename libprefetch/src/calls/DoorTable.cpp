// SPDX-License-Identifier: Apache-2.0
#include "calls/DoorTable.h"

#include "calls/DoorCosts.h"
#include "calls/DoorOpens.h"
#include "calls/DoorReads.h"
#include "calls/DoorWrites.h"
#include "calls/Guarded.h"
#include "calls/TheProcess.h"

#include <dlfcn.h>
#include <pthread.h>

// Weak: the library must also load where there is no patched MPI-IO.
extern "C" [[gnu::weak]] int forerun_mpiio_register(const forerun_door *door);
extern "C" [[gnu::weak]] int forerun_mpiio_watch(forerun_watcher *watcher, forerun_timer *timer);

namespace forerun {
namespace {

constexpr forerun_door kDoor = {
    .version = FORERUN_DOOR_VERSION,
    .attach = Guarded<entries::attach>::call,
    .detach = Guarded<entries::detach>::call,
    .read = Guarded<entries::read>::call,
    .copy = Guarded<entries::copy>::call,
    .missed = Guarded<entries::missed>::call,
    .started = Guarded<entries::started>::call,
    .covered = Guarded<entries::covered>::call,
    .written = Guarded<entries::written>::call,
    .wrote = Guarded<entries::wrote>::call,
    .writing = Guarded<entries::writing>::call,
    .epoch = Guarded<entries::epoch>::call,
    .atomicity = Guarded<entries::atomicity>::call,
    .view = Guarded<entries::view>::call,
    .set_info = Guarded<entries::setInfo>::call,
    .get_info = Guarded<entries::getInfo>::call,
    .meets = Guarded<entries::meets>::call,
    .meet = Guarded<entries::meet>::call,
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

void registerDoor() {
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

[[gnu::constructor]] void registerAtLoad() {
  pthread_atfork(nullptr, nullptr, [] { inForkedChild.store(true); });
  if (forerun_mpiio_register != nullptr)
    guarded(registerDoor);
}

} // namespace

const forerun_door &door() { return kDoor; }

} // namespace forerun
