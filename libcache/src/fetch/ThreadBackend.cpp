// SPDX-License-Identifier: Apache-2.0
#include "fetch/PosixFile.h"
#include "fetch/ThreadPool.h"

/// \file
/// Reads files with a descriptor by preadv, in a pool of threads.

namespace forerun {

namespace {

class ThreadBackend final : public Backend {
public:
  const char *name() const override { return "threads"; }
  bool serves(const FileSource &source) const override { return PosixFile::serves(source); }
  forerun_rc start(TransferSource &source, unsigned maxInFlight) override {
    return pool_.start(source, maxInFlight);
  }
  void stop() override { pool_.stop(); }
  void wake(unsigned count) override { pool_.wake(count); }
  void read(Transfer &transfer) override { PosixFile::read(transfer); }
  std::unique_ptr<FetchFile> openFile(const FileSource &source, bool direct) override {
    return PosixFile::open(source, direct);
  }

private:
  ThreadPool pool_{*this};
};

} // namespace

std::unique_ptr<Backend> makeThreadBackend() { return std::make_unique<ThreadBackend>(); }

} // namespace forerun
