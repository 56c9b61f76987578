// SPDX-License-Identifier: Apache-2.0
// Files and their bytes: passed through, but answered when the timing model says.
#include "Bed.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace forerun::testbed {

namespace {

int errnoOf(int result) { return result == 0 ? 0 : errno; }

void setCaching(const Bed &bed, fuse_file_info *info) {
  info->direct_io = bed.settings.kernelCache ? 0 : 1;
  info->keep_cache = bed.settings.kernelCache ? 1 : 0;
  // O_DIRECT concerns the mount, not the backing file, whose page cache stands for the servers'
  // memory.
  info->flags &= ~O_DIRECT;
}

/// Write-only files are opened for reading too: the kernel reads before it writes part of a page.
int backingFlags(int flags) {
  flags &= ~(O_DIRECT | O_APPEND);
  return (flags & O_ACCMODE) == O_WRONLY ? (flags & ~O_ACCMODE) | O_RDWR : flags;
}

void openFile(fuse_req_t request, fuse_ino_t number, fuse_file_info *info) {
  if (number == Inodes::kControl) {
    info->direct_io = 1;
    fuse_reply_open(request, info);
    return;
  }
  Bed &bed = Bed::of(request);
  int fd = bed.inodes.reopen(number, backingFlags(info->flags));
  if (fd == -EACCES)
    fd = bed.inodes.reopen(number, info->flags & ~(O_DIRECT | O_APPEND));
  if (fd < 0) {
    fuse_reply_err(request, -fd);
    return;
  }
  setCaching(bed, info);
  info->fh = static_cast<std::uint64_t>(fd);
  fuse_reply_open(request, info);
}

void createFile(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
                fuse_file_info *info) {
  Bed &bed = Bed::of(request);
  const int fd = openat(bed.inodes.descriptor(parent), name,
                        backingFlags(info->flags) | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0) {
    fuse_reply_err(request, errno);
    return;
  }
  fuse_entry_param entry{};
  if (const int error = bed.inodes.lookup(parent, name, entry)) {
    close(fd);
    fuse_reply_err(request, error);
    return;
  }
  setCaching(bed, info);
  info->fh = static_cast<std::uint64_t>(fd);
  fuse_reply_create(request, &entry, info);
}

/// A reader that gives up must not be blocked by a fault that hangs for minutes.
void interrupted(fuse_req_t request, void *bed) {
  static_cast<Bed *>(bed)->replies.failSoon(request, EINTR);
}

void enqueue(Bed &bed, const Reply &reply) {
  bed.replies.push(reply);
  bed.counters.maxInFlight = std::max(bed.counters.maxInFlight, bed.replies.size());
}

void readControl(fuse_req_t request, std::size_t size, off_t offset) {
  const std::string text = controlText(Bed::of(request));
  const std::size_t start = std::min(text.size(), static_cast<std::size_t>(offset));
  fuse_reply_buf(request, text.data() + start, std::min(size, text.size() - start));
}

void readFile(fuse_req_t request, fuse_ino_t number, std::size_t size, off_t offset,
              fuse_file_info *info) {
  if (number == Inodes::kControl) {
    readControl(request, size, offset);
    return;
  }
  Bed &bed = Bed::of(request);
  Reply reply{};
  reply.request = request;
  reply.fd = static_cast<int>(info->fh);
  reply.offset = static_cast<std::uint64_t>(offset);
  const ReadFate fate = bed.faults.decide(reply.offset, size);
  reply.length = fate.length;
  reply.error = fate.error ? EIO : 0;
  reply.due = bed.timing.read(now(), reply.offset, size) + fate.delay;
  ++bed.counters.reads;
  bed.counters.readBytes += size;
  enqueue(bed, reply);
  if (fate.delay.count() > 0)
    fuse_req_interrupt_func(request, interrupted, &bed);
}

void writeFile(fuse_req_t request, fuse_ino_t number, const char *bytes, std::size_t size,
               off_t offset, fuse_file_info *info) {
  Bed &bed = Bed::of(request);
  if (number == Inodes::kControl) {
    const int error = controlCommand(bed, {bytes, size});
    if (error != 0)
      fuse_reply_err(request, error);
    else
      fuse_reply_write(request, size);
    return;
  }
  Reply reply{};
  reply.request = request;
  const ssize_t written = pwrite(static_cast<int>(info->fh), bytes, size, offset);
  reply.error = written < 0 ? errno : 0;
  reply.length = written < 0 ? 0 : static_cast<std::size_t>(written);
  reply.due = bed.timing.write(now(), static_cast<std::uint64_t>(offset), size);
  ++bed.counters.writes;
  bed.counters.writeBytes += reply.length;
  enqueue(bed, reply);
}

void flushFile(fuse_req_t request, fuse_ino_t, fuse_file_info *) { fuse_reply_err(request, 0); }

void releaseFile(fuse_req_t request, fuse_ino_t number, fuse_file_info *info) {
  if (number != Inodes::kControl)
    close(static_cast<int>(info->fh));
  fuse_reply_err(request, 0);
}

/// What was written has reached the model's servers; the backing disk is not part of the model.
void syncFile(fuse_req_t request, fuse_ino_t, int, fuse_file_info *) { fuse_reply_err(request, 0); }

void allocate(fuse_req_t request, fuse_ino_t, int mode, off_t offset, off_t length,
              fuse_file_info *info) {
  fuse_reply_err(request, errnoOf(fallocate(static_cast<int>(info->fh), mode, offset, length)));
}

void init(void *userdata, fuse_conn_info *connection) {
  auto &bed = *static_cast<Bed *>(userdata);
  connection->want |=
      connection->capable & (FUSE_CAP_ASYNC_READ | FUSE_CAP_ASYNC_DIO | FUSE_CAP_SPLICE_WRITE);
  connection->want &= ~static_cast<unsigned>(FUSE_CAP_SPLICE_READ);
  connection->max_write = kMaxRequestBytes;
  connection->max_read = kMaxRequestBytes;
  connection->max_readahead = kMaxRequestBytes;
  // Asynchronous reads count as background requests, of which the kernel allows 12 by default.
  connection->max_background = 4096;
  connection->congestion_threshold = 4096;
  const char ready = 0;
  if (write(bed.readyFd, &ready, 1) == 1)
    close(bed.readyFd);
}

} // namespace

void addDataOperations(fuse_lowlevel_ops &operations) {
  operations.init = init;
  operations.open = openFile;
  operations.create = createFile;
  operations.read = readFile;
  operations.write = writeFile;
  operations.flush = flushFile;
  operations.release = releaseFile;
  operations.fsync = syncFile;
  operations.fallocate = allocate;
}

} // namespace forerun::testbed
