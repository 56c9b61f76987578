// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "twin/Hdf5Read.h"

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <optional>
#include <string>

/// \file
/// The program's HDF5, as far as a call of H5Dprefetch asks it about its arguments. Its functions
/// are looked up where it is found: this library links no HDF5, and knows its types as numbers.
///
/// Threads: those that may call HDF5. Nothing here stays open, is printed, or changes what the
/// program has set.

namespace forerun {

using Hid = std::int64_t; ///< hid_t, from 1.10 on

class ProgramHdf5 {
public:
  /// The arguments of H5Dread, except the buffer.
  struct Arguments {
    Hid dataset, memoryType, memorySpace, fileSpace, transfer;
  };
  struct Question {
    MPI_File file = MPI_FILE_NULL; ///< arbitrary if the file was not opened by MPI-IO
    Hdf5Read read;                 ///< except the handle of the file
  };

  /// Without a path, with \p whyNot set: there is no library to make a twin of.
  explicit ProgramHdf5(std::string &whyNot);

  const std::string &path() const { return path_; }
  /// Null, with \p whyNot set: this read cannot be announced.
  std::optional<Question> ask(const Arguments &arguments, const char *&whyNot) const;

private:
  class Quiet;
  class Id;

  void resolve(void *library, std::string &whyNot);
  const char *askAboutFile(const Arguments &arguments, Question &question) const;
  const char *askAboutSelection(const Arguments &arguments, Question &question) const;
  std::uint64_t wholeChunkBytes(const Arguments &arguments) const;
  bool isCollective(const Arguments &arguments) const;
  MPI_File fileOf(Hid file) const;

  using AutoHandler = void *;
  std::string path_;
  int (*isAutoV2_)(Hid stack, unsigned *isV2) = nullptr;
  int (*getAuto_)(Hid stack, AutoHandler *handler, void **data) = nullptr;
  int (*setAuto_)(Hid stack, AutoHandler handler, void *data) = nullptr;
  int (*typeOfId_)(Hid id) = nullptr;
  int (*release_)(Hid id) = nullptr;
  Hid (*fileOfId_)(Hid id) = nullptr;
  ssize_t (*nameOfId_)(Hid id, char *name, std::size_t bytes) = nullptr;
  int (*intent_)(Hid file, unsigned *flags) = nullptr;
  int (*fileHandle_)(Hid file, Hid access, void **handle) = nullptr;
  int (*transferMode_)(Hid transfer, int *mode) = nullptr;
  Hid (*space_)(Hid dataset) = nullptr;
  Hid (*type_)(Hid dataset) = nullptr;
  Hid (*datasetAccess_)(Hid dataset) = nullptr;
  int (*chunkCache_)(Hid access, std::size_t *slots, std::size_t *bytes, double *w0) = nullptr;
  int (*areTypesEqual_)(Hid one, Hid other) = nullptr;
  long long (*points_)(Hid space) = nullptr;
  int (*encode_)(Hid space, void *buffer, std::size_t *bytes) = nullptr;
};

} // namespace forerun
