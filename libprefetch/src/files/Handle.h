// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "files/PrefetchPointer.h"
#include "forerun/Cache.h"
#include "measure/ReadSamples.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mpi.h>

/// \file
/// What Forerun keeps for an open MPI_File. A handle lives as long as the table that it is in (see
/// HandleTable); its generation tells whether it is open.

namespace forerun {

struct OpenFile;
struct Options;

} // namespace forerun

/// The door's opaque handle. One without a cache is in no table, and has only its identity: it
/// exists for what is written through it.
struct forerun_handle {
  std::uint32_t slot = 0;
  std::atomic<std::uint32_t> generation{0}; ///< odd while open
  std::atomic<MPI_File> fh{MPI_FILE_NULL};
  /// In the process's cache; valid while open, for library threads and the door. Null: without.
  forerun::CachedFile *file = nullptr;
  forerun::FileIdentity identity;
  int rank = 0, ranks = 1; ///< in the file's communicator
  int amode = 0;
  bool atomic = false; ///< atomic mode, of this handle; under OpenFiles' mutex
  /// A non-blocking write has been posted through it of which no cache was told. Set and reset like
  /// OpenFile::unknownWriters.
  bool unknownWrites = false;
  /// A non-blocking write has been posted through it and may be in progress. Only for a handle
  /// without a cache: what a cache was told of it is lost with the last handle that has a cache,
  /// and the next one begins with an unknown write. Under OpenFiles' mutex.
  bool posted = false;
  forerun::OpenFile *open = nullptr; ///< the door's, shared by the handles of one file; like `file`
  std::shared_ptr<const forerun::Options> options; ///< in force for this handle; the door's
  std::unique_ptr<forerun::ReadSamples> samples;   ///< likewise; null: no report
  /// Library threads that use `file` or `open` now: they increment it, then check the generation
  /// again. Detach ends the generation, then waits until no user is left.
  std::atomic<std::uint32_t> users{0};
  std::atomic<std::uint64_t> startByte{0}; ///< the individual file pointer after open
  std::atomic<int> fd{-1};                 ///< for the file's size; -1: unknown
  /// Identifies the file, for a thread that has descriptors of its own; inode 0: unknown.
  std::atomic<std::uint64_t> device{0}, inode{0};
  forerun::PrefetchPointer hand; ///< of calls by hand, under HandleTable::handMutex
};

namespace forerun {

/// What is known about an open file. Any thread.
OpenedFile describe(const forerun_handle &handle, std::uint32_t generation);

} // namespace forerun
