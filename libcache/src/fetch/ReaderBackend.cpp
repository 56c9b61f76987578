// SPDX-License-Identifier: Apache-2.0
#include "fetch/ThreadPool.h"

#include <new>
#include <utility>

/// \file
/// Reads files without a descriptor through their `FileReader`, in a pool of threads. The
/// implementation of the reader turns calls that wait there into requests in flight together.
///
/// Invariant: a file's reader is called only while the file is open, and is released with it.

namespace forerun {

namespace {

class ReaderFile final : public FetchFile {
public:
  explicit ReaderFile(std::shared_ptr<FileReader> itsReader) : reader(std::move(itsReader)) {}
  const std::shared_ptr<FileReader> reader;
};

class ReaderBackend final : public Backend {
public:
  const char *name() const override { return "reader"; }
  bool serves(const FileSource &source) const override { return source.reader != nullptr; }
  forerun_rc start(TransferSource &source, unsigned maxInFlight) override {
    return pool_.start(source, maxInFlight);
  }
  void stop() override { pool_.stop(); }
  void wake(unsigned count) override { pool_.wake(count); }
  void read(Transfer &transfer) override {
    FileReader &reader = *static_cast<ReaderFile *>(transfer.file())->reader;
    while (!transfer.advance(reader.read(transfer.vectors(), transfer.offset())))
      ;
  }
  std::unique_ptr<FetchFile> openFile(const FileSource &source, bool /*direct*/) override {
    return std::unique_ptr<FetchFile>(new (std::nothrow) ReaderFile(source.reader));
  }

private:
  ThreadPool pool_{*this};
};

} // namespace

std::unique_ptr<Backend> makeReaderBackend() { return std::make_unique<ReaderBackend>(); }

} // namespace forerun
