// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/RangeRecords.h"
#include "channels/Stream.h"
#include "files/HandleTable.h"
#include "files/OpenFiles.h"
#include "forerun/Cache.h"
#include "twin/Hdf5Read.h"
#include "twin/LinkNamespace.h"
#include "twin/TwinThread.h"
#include "twin/hdf5Module.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

/// \file
/// A twin of the program's HDF5, with what its file driver asks for: metadata comes through the
/// cache, raw data is announced on the stream of calls by hand.
/// Threads: only that of \p thread, except for the constructor.

namespace forerun {

class Hdf5Twin {
public:
  /// The parts that it works between. All outlive it.
  struct Surroundings {
    HandleTable &handles;
    OpenFiles &files;
    Stream &hand;
    std::function<Cache *()> cache; ///< not null once a file is in the table
  };

  Hdf5Twin(Surroundings around, TwinThread &thread);
  Hdf5Twin(const Hdf5Twin &) = delete;
  Hdf5Twin &operator=(const Hdf5Twin &) = delete;

  /// Loads \p library again, and the module. False, with \p whyNot set: that is not possible.
  bool load(const std::string &library, std::string &whyNot);
  enum class Result {
    Announced,
    Unknown, ///< it could not be determined what the read will read
    Ended    ///< the twin is never entered again
  };
  /// Only after it has been loaded.
  Result announce(const Hdf5Read &read);

private:
  static int size(void *self, std::uint64_t file, std::uint64_t *bytes);
  static int fetch(void *self, std::uint64_t file, std::uint64_t offset, void *buffer,
                   std::size_t length, std::size_t *got);
  static void noteRange(void *self, std::uint64_t file, std::uint64_t offset, std::uint64_t length);
  bool fetch(std::uint64_t file, std::uint64_t offset, void *buffer, std::size_t length,
             std::size_t &got);

  const Surroundings around_;
  TwinThread &thread_;
  const forerun_twin_host host_;
  LinkNamespace space_;
  decltype(forerun_hdf5_announce) *announce_ = nullptr;
  RangeRecords *records_ = nullptr; ///< of the read that is being announced
};

} // namespace forerun
