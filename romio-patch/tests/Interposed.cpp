// SPDX-License-Identifier: Apache-2.0
// Functions that take the place of libc's and MPI's in a test program.
#include "MpiTest.h"

#include <aio.h>
#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <unistd.h>

namespace {

/// A driver that retries for ever is released after this many failures.
constexpr int kMaxFailures = 100;

std::atomic<int> readFailuresLeft{0};
std::atomic<bool> asynchronousReadsFail{false};
std::atomic<int> exchangesCounted{0};

template <typename Function> Function *next(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

ssize_t pread(int fd, void *buffer, size_t length, off_t offset) {
  static auto *real = next<ssize_t(int, void *, size_t, off_t)>("pread");
  if (readFailuresLeft > 0) {
    readFailuresLeft--;
    errno = EIO;
    return -1;
  }
  return real(fd, buffer, length, offset);
}

int aio_error(const struct aiocb *block) {
  static auto *real = next<int(const struct aiocb *)>("aio_error");
  const int error = real(block);
  return asynchronousReadsFail && error == 0 ? EIO : error;
}

// ROMIO calls the profiling names.
int PMPI_Alltoall(const void *send, int sendCount, MPI_Datatype sendType, void *receive,
                  int receiveCount, MPI_Datatype receiveType, MPI_Comm comm) {
  static auto *real = next<decltype(PMPI_Alltoall)>("PMPI_Alltoall");
  exchangesCounted++;
  return real(send, sendCount, sendType, receive, receiveCount, receiveType, comm);
}

int PMPI_Allgather(const void *send, int sendCount, MPI_Datatype sendType, void *receive,
                   int receiveCount, MPI_Datatype receiveType, MPI_Comm comm) {
  static auto *real = next<decltype(PMPI_Allgather)>("PMPI_Allgather");
  exchangesCounted++;
  return real(send, sendCount, sendType, receive, receiveCount, receiveType, comm);
}

} // extern "C"

namespace forerun::test {

void failReads(bool fail) { readFailuresLeft = fail ? kMaxFailures : 0; }
void failAsynchronousReads(bool fail) { asynchronousReadsFail = fail; }
int exchanges() { return exchangesCounted; }

} // namespace forerun::test
