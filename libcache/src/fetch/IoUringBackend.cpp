// SPDX-License-Identifier: Apache-2.0
#include "base/OwnDescriptor.h"
#include "fetch/Backend.h"
#include "fetch/EngineThread.h"
#include "fetch/PosixFile.h"
#include "fetch/ThreadPool.h"
#include "forerun/Mutex.h"

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <future>
#include <liburing.h>
#include <new>
#include <optional>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// \file
/// Reads with io_uring: one thread owns the ring, submits, and reaps.
///
/// It sleeps in io_uring_enter. A read of an eventfd is always pending in the ring; `wake` writes
/// there, but only while the thread says that it sleeps, so that a busy engine costs no system
/// call. Submitters deliberately do not enter the ring themselves: the kernel runs a request's
/// completion on the thread that submitted it, and cancels it if that thread ends.
///
/// Both descriptors are above the program's. If a program closes them all the same (closefrom), the
/// thread becomes deaf: from then on it looks for work by itself.
///
/// Files that cannot be read without blocking (FUSE, NFS, unless with O_DIRECT) are read by kernel
/// threads of the ring, one per transfer; by default there would be at most four per CPU. Measured
/// on FUSE with 1 and 5 ms (Linux 6.18, 2 cores), that takes half the thread switches that our own
/// threads with preadv take, and less processor time: the program computes 2 to 5 % faster beside
/// it.
///
/// If a read brings nothing, the file seems to end. Only a plain read is believed: the kernel
/// itself ends asynchronous reads where it has known a file to end, which may be long ago (a FUSE
/// file that another client has extended, or that has no size at all). A plain read that would have
/// to wait is made by a separate thread.
///
/// ThreadSanitizer does not see the kernel write buffers and completions. That loses only its check
/// of the kernel: the ring belongs to one thread, liburing's accesses to the shared indexes are
/// atomic, and a buffer goes from the submitter to this thread and back under locks.

namespace forerun {

namespace {

/// Transfers that are to be read plainly, by threads that may wait.
class PlainReads final : public TransferSource {
public:
  PlainReads(TransferSource &source, Backend &ring, std::size_t most)
      : source_(source), ring_(ring) {
    const MutexLock lock(mutex_);
    waiting_.reserve(most);
  }

  void add(Transfer &transfer) {
    const MutexLock lock(mutex_);
    waiting_.push_back(&transfer);
  }
  Transfer *take() override {
    const MutexLock lock(mutex_);
    if (waiting_.empty())
      return nullptr;
    Transfer *oldest = waiting_.front();
    waiting_.erase(waiting_.begin());
    return oldest;
  }
  void finished(Transfer &transfer) override {
    source_.finished(transfer);
    ring_.wake(1); // there is room for one more, which it takes
  }

private:
  TransferSource &source_;
  Backend &ring_;
  Mutex mutex_;
  std::vector<Transfer *> waiting_ FORERUN_GUARDED_BY(mutex_);
};

class IoUringBackend final : public Backend {
public:
  ~IoUringBackend() override {
    if (isStillOwn(wakeFd_))
      close(wakeFd_);
  }
  const char *name() const override { return "io_uring"; }
  bool serves(const FileSource &source) const override { return PosixFile::serves(source); }
  forerun_rc start(TransferSource &source, unsigned maxInFlight) override;
  void stop() override;
  void wake(unsigned count) override;
  std::unique_ptr<FetchFile> openFile(const FileSource &source, bool direct) override {
    return PosixFile::open(source, direct);
  }

private:
  void run();
  forerun_rc setUp();
  bool initRing(unsigned flags);
  bool readsSomething();
  void listen();
  void takeAll();
  void queueRead(Transfer &transfer);
  void readHere(Transfer &transfer);
  void submitAndWait();
  void takeBack();
  void reap();
  void completed(Transfer &transfer, int result);
  bool readPlainly(Transfer &transfer);

  // Constant while the thread runs.
  TransferSource *source_ = nullptr;
  unsigned maxInFlight_ = 0;
  int wakeFd_ = -1;

  std::promise<forerun_rc> started_; ///< the result of `setUp`
  std::thread thread_;

  std::atomic<bool> asleep_ = false;
  std::atomic<bool> stopping_ = false;

  // The thread's own.
  std::uint64_t wakeCount_ = 0; ///< where the kernel puts what it read from wakeFd
  io_uring ring_{};
  unsigned inFlight_ = 0;
  bool listening_ = false;
  std::atomic<bool> deaf_ = false;       ///< the descriptor that wakes it was closed
  unsigned refusals_ = 0;                ///< by the kernel, in a row, to take what is in the ring
  std::optional<PlainReads> plainReads_; ///< once one was needed
  ThreadPool plainReaders_;
};

forerun_rc IoUringBackend::start(TransferSource &source, unsigned maxInFlight) {
  source_ = &source;
  maxInFlight_ = maxInFlight;
  if (wakeFd_ < 0)
    wakeFd_ = moveAboveTheProgram(eventfd(0, EFD_CLOEXEC));
  if (wakeFd_ < 0)
    return FORERUN_ERR_UNSUPPORTED;
  started_ = {};
  thread_ = startEngineThread([this] { run(); });
  if (!thread_.joinable())
    return FORERUN_ERR_MEMORY;
  const forerun_rc rc = started_.get_future().get();
  if (rc != FORERUN_OK)
    thread_.join();
  return rc;
}

void IoUringBackend::wake(unsigned /*count*/) {
  if (asleep_.exchange(false)) {
    std::uint64_t one = 1;
    if (!isStillOwn(wakeFd_) || write(wakeFd_, &one, sizeof one) < 0)
      deaf_ = true;
  }
}

void IoUringBackend::stop() {
  stopping_ = true;
  wake(1);
  thread_.join();
  plainReaders_.stop();
}

void IoUringBackend::run() {
  const forerun_rc rc = setUp();
  started_.set_value(rc);
  if (rc != FORERUN_OK)
    return;
  for (;;) {
    listen();
    takeAll();
    asleep_ = true;
    takeAll(); // what was queued before `asleep_` could be seen
    if (stopping_ && inFlight_ == 0)
      break;
    submitAndWait();
    asleep_ = false;
    reap();
  }
  if (!isStillOwn(ring_.ring_fd))
    ring_.ring_fd = -1; // what is there now is the program's
  io_uring_queue_exit(&ring_);
}

forerun_rc IoUringBackend::setUp() {
  // One thread submits, and completions wait until it asks for them: no interruptions of a thread
  // that computes. Older kernels support neither.
  if (!initRing(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN) && !initRing(0))
    return FORERUN_ERR_UNSUPPORTED;
  // Each of these is an improvement that older kernels lack.
  io_uring_register_ring_fd(&ring_);
  unsigned workers[2] = {maxInFlight_, 0};
  io_uring_register_iowq_max_workers(&ring_, workers);
  if (readsSomething())
    return FORERUN_OK;
  io_uring_queue_exit(&ring_);
  return FORERUN_ERR_UNSUPPORTED;
}

bool IoUringBackend::initRing(unsigned flags) {
  constexpr unsigned kWakeEntries = 1;
  if (io_uring_queue_init(maxInFlight_ + kWakeEntries, &ring_, flags) != 0)
    return false;
  const int above = moveAboveTheProgram(ring_.ring_fd);
  ring_.ring_fd = ring_.enter_ring_fd = above;
  if (above < 0)
    io_uring_queue_exit(&ring_); // its mappings
  return above >= 0;
}

/// Containers may allow a ring to be made and then forbid its use, or the other way round: try.
bool IoUringBackend::readsSomething() {
  std::uint64_t written = 1, read = 0;
  if (write(wakeFd_, &written, sizeof written) != sizeof written)
    return false;
  io_uring_prep_read(io_uring_get_sqe(&ring_), wakeFd_, &read, sizeof read, 0);
  io_uring_cqe *cqe = nullptr;
  const bool good = io_uring_submit_and_wait(&ring_, 1) == 1 &&
                    io_uring_peek_cqe(&ring_, &cqe) == 0 && cqe->res == sizeof read &&
                    read == written;
  if (cqe != nullptr)
    io_uring_cqe_seen(&ring_, cqe);
  return good;
}

void IoUringBackend::listen() {
  if (listening_ || deaf_)
    return;
  deaf_ = !isStillOwn(wakeFd_);
  io_uring_sqe *sqe = deaf_ ? nullptr : io_uring_get_sqe(&ring_);
  if (sqe == nullptr)
    return;
  listening_ = true;
  io_uring_prep_read(sqe, wakeFd_, &wakeCount_, sizeof wakeCount_, 0);
  io_uring_sqe_set_data(sqe, nullptr);
}

void IoUringBackend::takeAll() {
  while (Transfer *transfer = source_->take()) {
    ++inFlight_;
    queueRead(*transfer);
  }
}

void IoUringBackend::queueRead(Transfer &transfer) {
  // The ring has an entry for each transfer, unless the kernel has not taken some.
  io_uring_sqe *sqe = io_uring_get_sqe(&ring_);
  if (sqe == nullptr) {
    readHere(transfer);
    return;
  }
  transfer.descriptor = PosixFile::of(transfer).descriptorFor(transfer);
  auto vectors = transfer.vectors();
  if (vectors.size() == 1)
    io_uring_prep_read(sqe, transfer.descriptor, vectors[0].iov_base,
                       static_cast<unsigned>(vectors[0].iov_len), transfer.offset());
  else
    io_uring_prep_readv(sqe, transfer.descriptor, vectors.data(),
                        static_cast<unsigned>(vectors.size()), transfer.offset());
  io_uring_sqe_set_data(sqe, &transfer);
}

void IoUringBackend::submitAndWait() {
  int result = 0;
  if (inFlight_ == 0 || deaf_) { // not forever: the thread that wakes it may find that it cannot
    __kernel_timespec longest{.tv_sec = 1, .tv_nsec = 0};
    if (deaf_)
      longest = {.tv_sec = 0, .tv_nsec = 1'000'000};
    io_uring_cqe *first = nullptr;
    result = io_uring_submit_and_wait_timeout(&ring_, &first, 1, &longest, nullptr);
  } else {
    result = io_uring_submit_and_wait(&ring_, 1);
  }
  if (result >= 0 || result == -EINTR || result == -ETIME) {
    refusals_ = 0;
    return;
  }
  // The kernel is short of memory. What could not be submitted stays in the ring.
  constexpr timespec kPause = {.tv_sec = 0, .tv_nsec = 1'000'000};
  constexpr unsigned kPatience = 10;
  nanosleep(&kPause, nullptr);
  io_uring_get_events(&ring_); // of what it took before
  if (++refusals_ > kPatience)
    takeBack();
}

/// What the kernel has not taken becomes an empty request, and is read here.
void IoUringBackend::takeBack() {
  const unsigned mask = *ring_.sq.kring_mask;
  for (unsigned at = io_uring_smp_load_acquire(ring_.sq.khead); at != ring_.sq.sqe_tail; ++at) {
    io_uring_sqe *sqe = &ring_.sq.sqes[at & mask];
    auto *transfer = std::bit_cast<Transfer *>(sqe->user_data);
    if (sqe->opcode == IORING_OP_NOP || transfer == nullptr)
      continue;
    io_uring_prep_nop(sqe);
    io_uring_sqe_set_data(sqe, this);
    readHere(*transfer);
  }
}

void IoUringBackend::readHere(Transfer &transfer) {
  transfer.file()->read(transfer);
  --inFlight_;
  source_->finished(transfer);
}

void IoUringBackend::reap() {
  io_uring_cqe *cqe = nullptr;
  while (io_uring_peek_cqe(&ring_, &cqe) == 0) {
    void *data = io_uring_cqe_get_data(cqe);
    int result = cqe->res;
    io_uring_cqe_seen(&ring_, cqe);
    if (data == nullptr) {
      listening_ = false;
      deaf_ = deaf_ || result < 0;
    } else if (data != this) { // which marks an empty request
      completed(*static_cast<Transfer *>(data), result);
    }
  }
}

void IoUringBackend::completed(Transfer &transfer, int result) {
  PosixFile &file = PosixFile::of(transfer);
  ssize_t known = result;
  if (result == 0) { // -errno: it fails, would wait, or cannot be asked not to wait
    const auto vectors = transfer.vectors();
    known = preadv2(transfer.descriptor, vectors.data(), static_cast<int>(vectors.size()),
                    static_cast<off_t>(transfer.offset()), RWF_NOWAIT);
    known = known < 0 ? -errno : known;
  }
  if (known < 0 && (result == 0 || known == -EAGAIN)) {
    // It seems to end, and a check would have to wait; or a descriptor with O_NONBLOCK, or a device
    // that could not queue.
    if (readPlainly(transfer))
      return;
    file.read(transfer);
  } else if (file.refusesDirect(transfer, known) || !PosixFile::advance(transfer, known)) {
    queueRead(transfer);
    return;
  }
  --inFlight_;
  source_->finished(transfer);
}

/// Hands it to a thread that reads it to its end. False if there is none, or no memory for one.
bool IoUringBackend::readPlainly(Transfer &transfer) try {
  if (!plainReads_) {
    plainReads_.emplace(*source_, *this, maxInFlight_);
    if (plainReaders_.start(*plainReads_, maxInFlight_) != FORERUN_OK)
      plainReads_.reset();
  }
  if (!plainReads_)
    return false;
  --inFlight_;
  plainReads_->add(transfer);
  plainReaders_.wake(1);
  return true;
} catch (const std::bad_alloc &) { // only before there is a reader
  plainReads_.reset();
  return false;
}

} // namespace

std::unique_ptr<Backend> makeIoUringBackend() { return std::make_unique<IoUringBackend>(); }

} // namespace forerun
