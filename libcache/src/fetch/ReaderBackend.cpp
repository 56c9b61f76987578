// SPDX-License-Identifier: Apache-2.0
#include "fetch/ThreadPool.h"

#include <new>
#include <utility>

/// \file
/// Reads files without a descriptor through their `FileReader`, in a pool of threads. What lies
/// behind the reader makes the calls that wait there into requests that are under way together.
///
/// Invariant: a file's reader is called only between `openFile` and `closeFile`, and is given up
/// with the latter.

namespace forerun {

namespace {

struct ReaderFile : FetchFile {
  explicit ReaderFile(std::shared_ptr<FileReader> itsReader) : reader(std::move(itsReader)) {}
  const std::shared_ptr<FileReader> reader;
};

void read(Transfer &transfer) {
  FileReader &reader = *static_cast<ReaderFile *>(transfer.file())->reader;
  while (!transfer.advance(reader.read(transfer.vectors(), transfer.offset())))
    ;
}

bool serves(const FileSource &source) { return source.reader != nullptr; }

BackendState *start(TransferSource &source, unsigned mostInFlight, forerun_rc &rc) {
  return startPool(source, mostInFlight, read, rc);
}

FetchFile *openFile(BackendState * /*state*/, const FileSource &source, bool /*direct*/,
                    forerun_rc &rc) {
  auto *file = new (std::nothrow) ReaderFile(source.reader);
  rc = file != nullptr ? FORERUN_OK : FORERUN_ERR_MEMORY;
  return file;
}

void closeFile(BackendState * /*state*/, FetchFile *file) {
  delete static_cast<ReaderFile *>(file);
}

} // namespace

const Backend kReaderBackend = {
    .name = "reader",
    .serves = serves,
    .start = start,
    .stop = stopPool,
    .wake = wakePool,
    .read = read,
    .openFile = openFile,
    .closeFile = closeFile,
};

} // namespace forerun
