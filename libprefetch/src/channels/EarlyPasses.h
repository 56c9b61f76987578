// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "channels/Progress.h"
#include "forerun/Mutex.h"

#include <cstddef>
#include <vector>

/// \file
/// The call sites that the main thread of a sliced program passes before the pre-execution thread
/// is started, which will come to them too. Main threads.

namespace forerun {

class EarlyPasses {
public:
  static constexpr std::size_t kMax = std::size_t{1} << 16;

  void add(int site, const OpenedFile &opened); ///< MPI_FILE_NULL: it was not an open
  bool isComplete() const;
  void moveTo(Progress &progress);

private:
  struct Call {
    int site;
    OpenedFile opened;
  };
  mutable Mutex mutex_;
  std::vector<Call> calls_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun
