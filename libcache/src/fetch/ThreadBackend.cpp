// SPDX-License-Identifier: Apache-2.0
#include "fetch/PosixFile.h"
#include "fetch/ThreadPool.h"

/// \file
/// Reads files with a descriptor with preadv, in a pool of threads.

namespace forerun {

namespace {

BackendState *start(TransferSource &source, unsigned mostInFlight, forerun_rc &rc) {
  return startPool(source, mostInFlight, readBlocking, rc);
}

FetchFile *openFile(BackendState * /*state*/, const FileSource &file, bool direct, forerun_rc &rc) {
  return PosixFile::open(file, direct, rc);
}

void closeFile(BackendState * /*state*/, FetchFile *file) { delete static_cast<PosixFile *>(file); }

} // namespace

const Backend kThreadBackend = {
    .name = "threads",
    .serves = servesPosix,
    .start = start,
    .stop = stopPool,
    .wake = wakePool,
    .read = readBlocking,
    .openFile = openFile,
    .closeFile = closeFile,
};

} // namespace forerun
