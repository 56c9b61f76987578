// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_BACKEND_H
#define FORERUN_BACKEND_H

#include "fetch/FetchEngine.h"
#include "fetch/Transfer.h"

/// \file
/// A storage backend is a table of functions, one file each (the shape is that of IOR's aiori).
///
/// A backend pulls: it takes transfers from its source while there are any, reads them to their end
/// (`Transfer::advance` says when), and gives them back. How many it gets at once is the source's
/// business; that is at most `mostInFlight`.
///
/// Invariants
///  - Every transfer taken is given back once, from a thread of the backend.
///  - After `take` returned null the backend's threads sleep in the kernel until `wake`.
///  - The threads block all signals: the application's handlers never run there.

namespace forerun {

/// What a backend pulls from.
class TransferSource {
public:
  /// The next transfer to start, or null: sleep until `wake`. Any thread, several at a time.
  virtual Transfer *take() = 0;
  /// \p transfer has come to its end; it must not be touched any more. Any thread.
  virtual void finished(Transfer &transfer) = 0;

protected:
  ~TransferSource() = default;
};

/// A started backend's own data.
struct BackendState;

/// The base of every backend's files.
struct FetchFile {
  class FetchLane *lane = nullptr; ///< the engine's: where requests on the file are queued
};

struct Backend {
  const char *name;
  /// Whether it can read files like \p source.
  bool (*serves)(const FileSource &source);

  /// Starts the threads. Really reads something first: null, with \p rc set, where that fails.
  BackendState *(*start)(TransferSource &source, unsigned mostInFlight, forerun_rc &rc);
  /// Returns when all transfers taken have been given back and all threads are gone. The source
  /// gives out nothing any more.
  void (*stop)(BackendState *state);
  /// About \p count transfers can be taken. Never blocks.
  void (*wake)(BackendState *state, unsigned count);

  /// Reads \p transfer, not one that was taken, to its end in the calling thread.
  void (*read)(Transfer &transfer);

  FetchFile *(*openFile)(BackendState *state, const FileSource &source, bool direct,
                         forerun_rc &rc);
  void (*closeFile)(BackendState *state, FetchFile *file);
};

extern const Backend kIoUringBackend;
extern const Backend kThreadBackend;
extern const Backend kReaderBackend;

} // namespace forerun

#endif
