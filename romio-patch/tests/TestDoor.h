// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <forerun/door.h>

/// \file
/// A door for tests of the stacked driver: a cache of whole sectors in a map, simple enough to be
/// evidently correct, that checks how the driver calls it and can be made to answer at random. It
/// keeps nothing of files that are open for writing only, but is told of their writes.
///
/// As a preloaded library it takes its mode from FORERUN_TEST_DOOR: "off" (takes no file), "on"
/// (keeps all that was read), "random" (forgets, lies and refuses at random, and a thread reads
/// random sectors ahead). A test program calls the functions below instead.

namespace forerun::test {

enum class DoorMode { Off, On, Random };

struct DoorCounters {
  std::uint64_t attached, detached, reads, hits, misses, started, coveredAsked, written, writing,
      epochs, views;
};

void setDoorMode(DoorMode mode); ///< for files opened from now on
DoorCounters doorCounters();
/// Forgets every byte of every file.
void emptyDoor();
/// Puts bytes of the file of \p fh into the cache, as a prefetch would.
void fillDoor(MPI_File fh, std::uint64_t offset, std::uint64_t length);
/// From now on `covered` says yes and `read` refuses.
void setDoorLies(bool lies);

} // namespace forerun::test
