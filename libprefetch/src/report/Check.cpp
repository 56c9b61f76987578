// SPDX-License-Identifier: Apache-2.0
#include "report/Check.h"

#include "base/CpuClock.h"
#include "base/Message.h"
#include "base/OutputFile.h"
#include "channels/Forwarding.h"
#include "measure/SiteReads.h"
#include "thread/PreThread.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string_view>
#include <sys/stat.h>

namespace forerun {
namespace {

/// In etypes from the beginning of the view.
MPI_Offset positionOf(MPI_File fh, forerun_pointer pointer, MPI_Offset offset) {
  if (pointer == FORERUN_INDIVIDUAL)
    PMPI_File_get_position(fh, &offset);
  if (pointer == FORERUN_SHARED)
    PMPI_File_get_position_shared(fh, &offset);
  return offset;
}

std::uint64_t bytesOf(MPI_Count count, MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL) // the MPI-IO reports that to the program
    return 0;
  MPI_Count size = 0;
  PMPI_Type_size_x(datatype, &size);
  return count > 0 && size > 0 ? static_cast<std::uint64_t>(count * size) : 0;
}

/// Where an ordered read begins: as predicted, since other ranks may have moved the pointer in this
/// very call.
std::uint64_t takeOrdered(forerun_handle &handle, std::uint64_t etypes) {
  const auto rank = static_cast<std::uint64_t>(handle.rank);
  const std::uint64_t first = handle.hand.sharedPosition;
  handle.hand.sharedPosition += etypes * static_cast<std::uint64_t>(handle.ranks);
  return first + rank * etypes;
}

/// A field of comma-separated values.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos)
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text)
    quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

/// \p kind returns the name of a range.
template <class Kind> void writeLog(std::ostream &out, const CheckLog &log, const Kind &kind) {
  for (std::size_t n = 0; n < log.size(); ++n)
    out << kind(log[n]) << ',' << log[n].call << ',' << field(log[n].path) << ',' << log[n].offset
        << ',' << log[n].length << ',' << log[n].microseconds << '\n';
}

void writeDelay(std::ostream &out, int site, const StallStats::Delay &delay) {
  if (delay.waits + delay.ticks == 0)
    return;
  out << "delay," << site << ',' << delay.waits << ',' << delay.waitedNs / 1000 << ','
      << delay.ticks * CpuThrottle::kTickNs / 1000 << '\n';
  if (const CallPlace place = CallPlace::of(site); place.line != 0)
    out << "place," << site << ',' << place.line << ',' << field(place.file) << ','
        << field(place.call) << '\n';
}

/// Beyond it nothing is announced (PrefetchCall::endFor).
std::uint64_t endOf(const OpenedFile &file) {
  struct stat status{};
  return file.readOnly && file.lookUp(status) ? static_cast<std::uint64_t>(status.st_size)
                                              : std::numeric_limits<std::uint64_t>::max();
}

/// The cost of the thread, which has ended, and of this one, the program's main thread.
void writeCost(std::ostream &out, const PreThread &thread, int sites) {
  out << "processor," << cpuNs() / 1000 << ',' << thread.processorNs() / 1000 << '\n';
  for (int site = 0; site < sites; ++site)
    writeDelay(out, site, thread.stalls()[site]);
}

} // namespace

void Check::noteRead(HandleTable &handles, const Cache &cache, MPI_File fh, forerun_pointer pointer,
                     MPI_Offset offset, MPI_Count count, MPI_Datatype datatype) {
  forerun_handle *const handle = handles.find(fh);
  if (handle == nullptr)
    return;
  const MutexLock lock(reading_);
  const char *const path = paths_.keep(cache.path(*handle->file));
  const MPI_Offset position = positionOf(fh, pointer, offset);
  const MutexLock hand(handles.handMutex()); // its view is the program's
  OpenedFile opened = describe(*handle, handle->generation);
  opened.path = path;
  handle->hand.follow(opened);
  const FileView &view = handle->hand.view;
  const std::uint64_t bytes = bytesOf(count, datatype);
  const std::uint64_t first = pointer == FORERUN_ORDERED
                                  ? takeOrdered(*handle, bytes / view.etypeBytes())
                                  : static_cast<std::uint64_t>(position);
  CheckLog *const reads = &reads_; // the analysis does not follow calls of a lambda
  const std::uint64_t call = reads->nextCall(), end = endOf(opened);
  view.forEachRange(first * view.etypeBytes(), bytes, [&](std::uint64_t at, std::uint64_t length) {
    if (at < end)
      reads->append({call, path != nullptr ? path : "", at, std::min(length, end - at)});
    return true;
  });
}

void Check::write(int rank, const PreThread *thread, const Progress *progress,
                  const Forwarding &forwarding, const char *whyNot) const {
  const std::string name = prefix_ + "." + std::to_string(rank) + ".csv";
  OutputFile out(name);
  {
    const MutexLock lock(reading_);
    writeLog(out, reads_, [](const CheckLog::Range &) { return "read"; });
  }
  writeLog(out, ahead_, [&](const CheckLog::Range &each) {
    const bool isWithdrawn = thread != nullptr && thread->withdrawals().has(each.prediction);
    return isWithdrawn ? "withdrawn" : "prefetch";
  });
  for (int site = 0; thread != nullptr && site < progress->sites(); ++site) {
    const Forwarding::Count values = forwarding.count(site);
    out << "site," << site << ',' << progress->passed(site) + values.sent << ','
        << thread->occurrences(site) + values.received << '\n';
  }
  if (thread != nullptr)
    writeCost(out, *thread, progress->sites());
  if (thread != nullptr && thread->predictions().made != 0)
    out << "predictions," << thread->predictions().made << ',' << thread->predictions().wrong
        << '\n';
  out << "end," << field(thread != nullptr ? thread->why() : whyNot) << '\n';
  if (!out.finish())
    (Message() << "cannot write " << name << ": " << out.reason()).write();
}

} // namespace forerun
