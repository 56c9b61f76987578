// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Record.h"
#include "forerun/Cache.h"
#include "measure/LatencyHistogram.h"
#include "measure/ReadStats.h"
#include "measure/Series.h"
#include "measure/SiteReads.h"
#include "measure/Timeline.h"

#include <atomic>
#include <cstdint>
#include <span>

/// \file
/// The data for the report and the trace. While neither is asked for, nothing is recorded and no
/// clock is read; but the bytes served are always counted, since the throttle judges by them.
/// The time in reads is that of the program's calls of MPI-IO; what a driver does is a part of it.
/// Threads: `enable` before the first file is opened; everything else from any thread.

namespace forerun {

class Recording {
public:
  void enable(bool report, bool trace);
  bool on() const { return report_ || trace_; }

  /// The figures of a file just opened; null while off.
  FileStats *file(const std::string &path) { return on() ? &files_.of(path) : nullptr; }

  void noteServed(std::uint64_t bytes) { served_.fetch_add(bytes, std::memory_order_relaxed); }
  std::uint64_t servedBytes() const { return served_.load(std::memory_order_relaxed); }

  // ---- only while on ----
  void noteRead(FileStats &file, const ReadResult &read, std::uint64_t offset,
                std::uint64_t elapsedNs);
  /// Likewise, for one that went to the file system: nobody waits for it here, or knows how long it
  /// takes.
  void noteStarted(FileStats &file, std::uint64_t offset, std::uint64_t length);
  void noteAnnounced(const FileStats &file, const Record &record);
  void noteFetched(const std::string &path, const FetchEvent &event);
  // ---- only for a report ----
  void noteTimed(bool begins); ///< a read call of the calling thread begins, or has returned
  /// The driver's part of such a call. Nothing outside of one: those wait for non-blocking reads.
  void noteCost(FileStats &file, ReadSamples &samples, ReadForm form,
                std::span<const forerun_range> ranges, bool served, std::uint64_t ns,
                std::uint64_t waitedNs);
  /// Whether there is so much time left to make reads once more, and how much was taken for that.
  bool mayReadAgain(std::uint64_t ns) const;
  void noteAgain(std::uint64_t ns);
  /// Whether the bytes that were fetched did not come from the system's page cache.
  bool fetchesFromStorage() const;
  std::uint64_t callNs() const { return callNs_.load(std::memory_order_relaxed); }
  std::uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }
  // ---- also while off ----
  void noteCall() { // the calling thread's next read belongs to another call
    if (report_)
      sites_.callBegins();
  }
  void notePassed(int site) { // the calling thread has returned from the call there
    if (report_)
      sites_.pass(site);
  }

  const ReadStats &files() const { return files_; }
  const LatencyHistogram &fetchLatency() const { return fetchLatency_; }
  const LatencyHistogram &lateReads() const { return lateReads_; } ///< how long each took
  const Series &series() const { return series_; }
  const SiteReads &sites() const { return sites_; }
  Timeline &timeline() { return timeline_; }

private:
  bool report_ = false, trace_ = false;
  std::atomic<std::uint64_t> served_{0};
  ReadStats files_;
  SiteReads sites_;
  Series series_;
  LatencyHistogram lateReads_;
  LatencyHistogram fetchLatency_;
  std::uint64_t startNs_ = 0;
  std::atomic<std::uint64_t> calls_{0}, callNs_{0}, againNs_{0};
  Timeline timeline_;
};

} // namespace forerun
