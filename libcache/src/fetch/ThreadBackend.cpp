// SPDX-License-Identifier: Apache-2.0
#include "fetch/PosixFile.h"
#include "fetch/ThreadPool.h"

#include <new>
#include <utility>

/// \file
/// Reads by blocking calls in a pool of threads: files with a descriptor by preadv, others through
/// their `FileReader`. The implementation of the reader turns calls that wait there into requests in
/// flight together.
///
/// Invariant: a file's reader is called only while the file is open, and is released with it.

namespace forerun {

namespace {

class ReaderFile final : public FetchFile {
public:
  static bool serves(const FileSource &source) { return source.reader != nullptr; }
  static std::unique_ptr<ReaderFile> open(const FileSource &source, bool /*direct*/) {
    return std::unique_ptr<ReaderFile>(new (std::nothrow) ReaderFile(source.reader));
  }
  void read(Transfer &transfer) override {
    while (!transfer.advance(reader_->read(transfer.vectors(), transfer.offset())))
      ;
  }

private:
  explicit ReaderFile(std::shared_ptr<FileReader> reader) : reader_(std::move(reader)) {}
  const std::shared_ptr<FileReader> reader_;
};

template <typename File> class ThreadBackend final : public Backend {
public:
  explicit ThreadBackend(const char *name) : name_(name) {}
  const char *name() const override { return name_; }
  bool serves(const FileSource &source) const override { return File::serves(source); }
  forerun_rc start(TransferSource &source, unsigned maxInFlight) override {
    return pool_.start(source, maxInFlight);
  }
  void stop() override { pool_.stop(); }
  void wake(unsigned count) override { pool_.wake(count); }
  std::unique_ptr<FetchFile> openFile(const FileSource &source, bool direct) override {
    return File::open(source, direct);
  }

private:
  const char *const name_;
  ThreadPool pool_;
};

} // namespace

std::unique_ptr<Backend> makeThreadBackend() {
  return std::make_unique<ThreadBackend<PosixFile>>("threads");
}

std::unique_ptr<Backend> makeReaderBackend() {
  return std::make_unique<ThreadBackend<ReaderFile>>("reader");
}

} // namespace forerun
