// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/Transfer.h"

#include <memory>

/// \file
/// A storage backend: how transfers are read. One source file each.
///
/// A backend pulls: it takes transfers from its source while there are any, reads them to their end
/// (`Transfer::advance` tells when), and gives them back. How many it gets at once is up to the
/// source; that is at most `maxInFlight`.
///
/// Invariants
///  - Every transfer taken is given back once, from a thread of the backend.
///  - After `take` returned null the backend's threads sleep in the kernel until `wake`.
///  - The threads block all signals: the application's handlers never run there.
/// Threads: `start` and `stop` from one thread at a time; between them `wake` and
/// `openFile` from any thread; `name` and `serves` from any thread at any time.

namespace forerun {

/// What a backend pulls from.
class TransferSource {
public:
  /// The next transfer to start, or null: sleep until `wake`. Any thread, several at a time.
  virtual Transfer *take() = 0;
  /// \p transfer has reached its end; it must not be touched any more. Any thread.
  virtual void finished(Transfer &transfer) = 0;

protected:
  ~TransferSource() = default;
};

class Backend {
public:
  Backend() = default;
  virtual ~Backend() = default; ///< it has been stopped, or never started
  Backend(const Backend &) = delete;
  Backend &operator=(const Backend &) = delete;

  virtual const char *name() const = 0;
  /// Whether it can read files like \p source.
  virtual bool serves(const FileSource &source) const = 0;

  /// Starts the threads. Actually reads something first: an error if that fails; then it may be
  /// started again later.
  virtual forerun_rc start(TransferSource &source, unsigned maxInFlight) = 0;
  /// Returns when all transfers taken have been given back and all threads have ended. The source
  /// gives out nothing any more.
  virtual void stop() = 0;
  /// About \p count transfers can be taken. Never waits for storage.
  virtual void wake(unsigned count) = 0;

  /// Makes a file for transfers; null if there is no memory for it. It may be destroyed from any
  /// thread, when no transfer of it is in flight.
  virtual std::unique_ptr<FetchFile> openFile(const FileSource &source, bool direct) = 0;
};

std::unique_ptr<Backend> makeIoUringBackend();
std::unique_ptr<Backend> makeThreadBackend(); ///< for files with a descriptor
std::unique_ptr<Backend> makeReaderBackend(); ///< for those with a reader

} // namespace forerun
