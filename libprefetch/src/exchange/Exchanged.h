// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Exchange.h"
#include "channels/Groups.h"
#include "thread/PreThread.h"

#include <cstddef>
#include <mpi.h>
#include <optional>
#include <span>
#include <vector>

/// \file
/// One communication call of the program, made by the pre-execution threads among themselves.
///
/// Invariants
///  - Where it is made, its key is taken, whether or not anything can be exchanged: the other
///    processes count it as well.
///  - It waits no longer than until the main thread has passed the site.
///
/// Pre-execution thread; elsewhere it is false, and nothing is done.

namespace forerun {

using Bytes = std::span<const std::byte>;

/// The size of \p count elements, if they are contiguous data of a named datatype and not too much:
/// addresses are computed from nothing else.
std::optional<std::size_t> exchangeableBytes(int count, MPI_Datatype type);

class Exchanged {
public:
  /// Collective.
  Exchanged(int site, int values, MPI_Comm comm);
  /// From one process to another.
  Exchanged(int site, int values, MPI_Comm comm, int peer, int tag, bool isSent);
  ~Exchanged();
  Exchanged(const Exchanged &) = delete;
  Exchanged &operator=(const Exchanged &) = delete;

  explicit operator bool() const { return group_ != nullptr; }
  bool has(int rank) const { return group_ != nullptr && rank >= 0 && rank < size(); }
  int me() const { return group_->me; }
  int size() const { return static_cast<int>(group_->ranks.size()); }

  /// If the receiver is too slow, tries only until the main thread has come this far.
  void send(int to, Bytes data);
  /// Null: the main thread had the value first.
  const std::vector<std::byte> *await(int from);
  /// Receives exactly \p bytes, into memory of the runtime.
  bool receive(int from, void *data, std::size_t bytes);
  /// The message is not awaited until the call that completes this one.
  int receiveLater(int from, void *data, std::size_t most);

  /// Receives and is done, if that is the whole call.
  int take(int from, void *data, std::size_t bytes) {
    return receive(from, own(data, bytes), bytes) ? done() : 0;
  }
  /// For where a clone has its result; ends the thread if that is not its memory.
  void *own(void *data, std::size_t bytes) { return self_->own(data, bytes); }
  /// The main thread need not hand over its result of this call.
  int done();

  /// Memory that lives until the call has been made; once.
  std::byte *memory(std::size_t bytes);

private:
  Exchanged(int site, int values) : self_(PreThread::self()), site_(site), values_(values) {}
  bool trySend(int to, Bytes data);
  bool isKnown(MPI_Comm comm);
  int world(int rank) const { return group_->ranks[static_cast<std::size_t>(rank)]; }

  PreThread *self_;
  const Group *group_ = nullptr;
  Exchange::Key key_;
  int site_, values_;
  void *memory_ = nullptr;
};

/// Receives what `Exchanged::receiveLater` has noted; false: the main thread had it first, or
/// nothing was noted.
bool receiveExpected(PreThread &self, const Expected &expected);

} // namespace forerun
