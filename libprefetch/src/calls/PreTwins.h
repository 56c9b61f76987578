// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "thread/PreThread.h"
#include "twin/LinkNamespace.h"
#include "twin/twinHost.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mpi.h>
#include <set>
#include <string>
#include <vector>

/// \file
/// The twins of libraries that the pre-execution thread calls, and what their modules ask for.
/// Bytes come through the cache, like those of reads whose bytes it needs. Announcements are
/// prefetch calls at the call site that the thread is at.
///
/// Invariants
///  - A twin is loaded at its first call, and not before; where the program needs all cores, the
///    first one not before there is latency to hide (FirstLatency.h).
///  - A library without a module is called as it is, unless it opens files. If the twin, or a
///    function of it, is missing, the thread ends there: it could not know what comes next.
/// Threads: only that one. It may be ended anywhere: a twin is never entered again, and memory is
/// allocated here only where the thread is unstoppable.

namespace forerun {

class PreTwins {
public:
  explicit PreTwins(PreThread &thread);
  PreTwins(const PreTwins &) = delete;
  PreTwins &operator=(const PreTwins &) = delete;

  /// From the twin of \p library, or what its module has in place of \p name.
  void *find(const char *library, const char *name);

private:
  using Twin = std::shared_ptr<LinkNamespace>; ///< shared with libraries on top
  void waitUntilWorthwhile();
  void *lookUp(const char *library, const char *name, std::string &whyNot);
  static void *lookFurther(LinkNamespace &twin, const char *name, std::string &whyNot);
  Twin twinOf(const std::string &library, const char *name, std::string &whyNot);
  Twin load(const std::string &library, const char *name, std::string &whyNot);

  // What modules ask.
  static int size(void *self, std::uint64_t file, std::uint64_t *bytes);
  static int fetch(void *self, std::uint64_t file, std::uint64_t offset, void *buffer,
                   std::size_t length, std::size_t *got);
  static void announce(void *self, std::uint64_t file, std::uint64_t offset, std::uint64_t length);
  static std::uint64_t openOf(void *self, const char *name, std::uint64_t before);
  static void dirty(void *self, std::uint64_t file, std::uint64_t offset, std::uint64_t length);
  static std::uint64_t opened(void *self);
  static int rank(void *self, std::uint64_t file, int *ranks);
  static void announced(void *self);
  static void await(void *self);
  static void own(void *self, void *to, std::size_t bytes);
  static void end(void *self, const char *why);

  const OpenedFile *at(std::uint64_t file) const;
  bool isKnown(const OpenedFile &opened) const;
  bool bring(MPI_File file, std::uint64_t offset, std::byte *buffer, std::size_t length,
             std::size_t &got);

  PreThread &thread_;
  const forerun_twin_host host_;
  std::map<std::string, Twin> twins_; ///< by library
  std::vector<OpenedFile> files_;     ///< file n is files_[n - 1]
  std::string whyEnded_;              ///< if a twin is missing
  std::set<std::string> names_;       ///< of files that a library has opened on the way
  std::byte *staging_ = nullptr;      ///< in the thread's own memory
  struct Pending {
    MPI_File file = MPI_FILE_NULL;
    std::uint64_t offset = 0, length = 0;
    bool isDirty = false; ///< to be written, not read
  };
  void add(const Pending &more, std::uint64_t apart);
  void push();

  Pending pending_; ///< the range that may still grow
};

} // namespace forerun
