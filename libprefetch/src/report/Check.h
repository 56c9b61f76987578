// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/KeptTexts.h"
#include "files/HandleTable.h"
#include "forerun/Cache.h"
#include "forerun/Mutex.h"
#include "forerun/door.h"
#include "measure/CheckLog.h"

#include <mpi.h>
#include <string>

/// \file
/// FORERUN_CHECK: what the program reads, and what the pre-execution thread predicts that it will
/// read, side by side. Then nothing is prefetched, the pre-execution thread runs as far ahead as it
/// can, and it is given time to end by itself: so the two must agree range by range.
///
/// The program's reads are noted as it makes them, not as they reach the driver, where collective
/// reads and reads with holes have other ranges. A read at the shared file pointer is noted where
/// that pointer is just before.
///
/// There is one file per rank, with lines of these kinds:
///
///     read,NUMBER,PATH,OFFSET,LENGTH,TIME
///         a range that the main thread read in its NUMBER-th read, and when, in microseconds
///     prefetch,NUMBER,PATH,OFFSET,LENGTH,TIME
///         a range that was announced or fetched, also if that was too late
///     withdrawn,NUMBER,PATH,OFFSET,LENGTH,TIME
///         the same, but it depended on a prediction that was wrong, or not known to be right
///     predictions,MADE,WRONG
///         values that the thread used before they had come; if there were any
///     site,SITE,MAIN,PRE
///         how often each of the two threads came to the site
///     processor,MAIN,PRE
///         processor time of each of the two, in microseconds
///     delay,SITE,WAITS,WAITED,COMPUTED
///         how often and how long the pre-execution thread waited there, and how much of its
///         processor time passed from there to the next site, in microseconds
///     place,SITE,LINE,FILE,CALL
///         where in the program's text a site with a delay is, if the program tells
///     end,WHY
///         how the pre-execution thread ended

namespace forerun {

class PreThread;
class Progress;
class Forwarding;

class Check {
public:
  explicit Check(std::string prefix) : prefix_(std::move(prefix)) {}

  /// The main thread is about to read.
  void noteRead(HandleTable &handles, const Cache &cache, MPI_File fh, forerun_pointer pointer,
                MPI_Offset offset, MPI_Count count, MPI_Datatype datatype);
  CheckLog &ahead() { return ahead_; } ///< the pre-execution thread's

  /// At the end. \p thread may be null: none was started, \p whyNot is the reason.
  void write(int rank, const PreThread *thread, const Progress *progress,
             const Forwarding &forwarding, const char *whyNot) const;

private:
  const std::string prefix_;
  mutable Mutex reading_; ///< orders main threads that read at the same time
  KeptTexts paths_;
  CheckLog reads_ FORERUN_GUARDED_BY(reading_);
  CheckLog ahead_;
};

} // namespace forerun
