// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "base/Record.h"
#include "channels/Stream.h"
#include "courier/HandDirt.h"
#include "files/PrefetchPointer.h"
#include "measure/CheckLog.h"

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <optional>

/// \file
/// One prefetch call on one file, on one side (the pre-execution thread's or the hand's): moves the
/// side's prefetch file pointer and turns the call into records on the side's stream.
///
/// Rules
///  - Pointers move even if nothing is announced, so that they stay where the main thread's are.
///  - On the pre-execution thread nothing is announced for a call that the main thread has passed:
///    a late prefetch is dropped, a write that has happened is not a dirty range.
///  - The shared file pointer is predicted: rank r's k-th read through it is taken as number k *
///    ranks + r of reads of one size, as it always is for ordered reads of equal size. A wrong
///    prediction costs only time.
/// Threads: made, used and destroyed on one thread; by hand, under HandleTable::handMutex.

namespace forerun {

/// The outcome of a private read.
struct Brought {
  std::size_t bytes = 0;
  bool failed = false; ///< fewer bytes than asked for, and not because the file ends
};

/// Bytes of data in \p count elements; 0 if invalid. The pre-execution thread is not ended
/// meanwhile, since MPI is asked for the size of a derived datatype.
std::uint64_t bytesOf(int count, MPI_Datatype datatype);

class PrefetchCall {
public:
  /// \p passed: the main thread has executed \p call. \p check: where reads
  /// are noted instead of being announced (FORERUN_CHECK), or null.
  PrefetchCall(const OpenedFile &file, PrefetchPointer &pointer, Stream &stream, CallId call,
               bool passed, CheckLog *check = nullptr);
  /// By hand. \p dirt: what the program will write, also to the file of this number.
  PrefetchCall(const OpenedFile &file, PrefetchPointer &pointer, Stream &stream, HandDirt &dirt,
               std::uint64_t number);

  /// @{ Announce \p bytes of a read or write: at the individual pointer, at an offset in etypes, or
  /// at the predicted shared pointer.
  void read(std::uint64_t bytes);
  void readAt(MPI_Offset offset, std::uint64_t bytes);
  void readShared(std::uint64_t bytes);
  void write(std::uint64_t bytes);
  void writeAt(MPI_Offset offset, std::uint64_t bytes);
  /// @}
  void sync();

  /// @{ Bring the bytes; on the pre-execution thread perhaps only when they are touched.
  Brought bring(void *buffer, int count, MPI_Datatype datatype);
  Brought bringShared(void *buffer, int count, MPI_Datatype datatype);
  Brought bringAt(MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype);
  /// @}

  /// @{ Announce a read of this many bytes, and say how many there are. Failed: that is unknown, as
  /// beyond the end of a file that the program may write; nothing has been announced.
  Brought count(std::uint64_t bytes);
  Brought countAt(MPI_Offset offset, std::uint64_t bytes);
  /// @}

  void seek(MPI_Offset offset, int whence);
  void setView(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

private:
  bool byHand() const { return call_.site < 0; }
  Record record(RecordKind kind) const;
  std::uint64_t takeShared(std::uint64_t bytes);
  void advance(std::uint64_t bytes);
  std::uint64_t beforeEnd(std::uint64_t bytes);
  std::uint64_t endFor(std::uint64_t byte);
  bool isChecked() const;
  void note(std::uint64_t start, std::uint64_t bytes);
  void pushRead(std::uint64_t position, std::uint64_t bytes);
  void pushWrite(std::uint64_t position, std::uint64_t bytes);
  void markDirty(std::uint64_t position, std::uint64_t bytes);
  void tellPredictions(std::uint64_t start, std::uint64_t bytes) const;
  void pushRanges(RecordKind kind, std::uint64_t position, std::uint64_t bytes);
  Brought countFrom(std::uint64_t position, std::uint64_t bytes);
  Brought bringFrom(std::uint64_t position, void *buffer, int count, MPI_Datatype datatype);
  std::optional<Brought> leaveFor(std::uint64_t position, void *buffer, std::uint64_t bytes);

  const OpenedFile file_;
  PrefetchPointer &pointer_;
  Stream &stream_;
  CallId call_;
  bool passed_;
  CheckLog *check_;
  HandDirt *dirt_ = nullptr; ///< by hand
  std::uint64_t number_ = 0;
  bool hasLookedUp_ = false; ///< the file's size, for this call
};

} // namespace forerun
