// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mpi.h>

/// \file
/// The datatypes that the main thread hands to the pre-execution thread: duplicates, which
/// stay alive whatever the program does with its own. By this list the pre-execution thread
/// also tells a datatype from memory that was never set: passed to MPI, that would end the
/// program.

namespace forerun {

class ForwardedTypes {
public:
  static constexpr std::size_t kMax = 4096;

  // ---- main thread; these call MPI ----
  /// \p type itself if it is a named one or null, otherwise a committed duplicate of it. Also
  /// MPI_DATATYPE_NULL if there are too many.
  MPI_Datatype keep(MPI_Datatype type);
  void freeAll(); ///< when nobody uses them any more

  /// Any thread: whether \p type is one of C's named datatypes, or one that was kept.
  bool knows(MPI_Datatype type) const;

private:
  std::array<MPI_Datatype, kMax> types_{};
  std::atomic<std::size_t> count_{0};
};

} // namespace forerun
