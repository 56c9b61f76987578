// SPDX-License-Identifier: Apache-2.0
#include "Daemon.h"

#include "Bed.h"
#include "Mounts.h"
#include "ReplyTimer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace forerun::testbed {

Nanoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::chrono::seconds{time.tv_sec} + Nanoseconds{time.tv_nsec};
}

namespace {

/// How much later than due an answer may leave if others wait, too (see ReplyTimer): an answer that
/// waits alone leaves on time, and none is late by more than a quarter of the latency.
Nanoseconds patience(const Bed &bed) {
  constexpr Nanoseconds kForEach = std::chrono::microseconds{10};
  const auto others = static_cast<std::int64_t>(bed.replies.size()) - 1;
  return std::min(kForEach * others, bed.timing.parameters().latency / 4);
}

/// Sleeps until a request arrives (then true) or an answer is due.
bool waitForRequest(int fuseFd, const Bed &bed, ReplyTimer &timer) {
  if (!bed.replies.empty())
    timer.cover(bed.replies.nextDue(), patience(bed));
  pollfd channels[] = {{fuseFd, POLLIN, 0}, {timer.descriptor(), POLLIN, 0}};
  if (poll(channels, 2, -1) > 0 && channels[1].revents != 0)
    timer.acknowledge();
  return channels[0].revents != 0;
}

/// Takes every request that has arrived. Returns false if the mount is gone.
bool receiveAll(fuse_session *session, fuse_buf &buffer, ReplyQueue &replies) {
  for (;;) {
    const int bytes = fuse_session_receive_buf(session, &buffer);
    if (bytes == -EAGAIN || bytes == -EINTR)
      return true;
    if (bytes <= 0)
      return false;
    fuse_session_process_buf(session, &buffer);
    if (!replies.empty() && replies.nextDue() <= now())
      return true;
  }
}

void serve(fuse_session *session, Bed &bed) {
  const int fuseFd = fuse_session_fd(session);
  fcntl(fuseFd, F_SETFL, fcntl(fuseFd, F_GETFL) | O_NONBLOCK);
  ReplyTimer timer;
  fuse_buf buffer{};
  bool mounted = true;
  while (mounted && !fuse_session_exited(session)) {
    if (waitForRequest(fuseFd, bed, timer))
      mounted = receiveAll(session, buffer, bed.replies);
    bed.replies.sendDue(now());
  }
  bed.replies.failAll(ENOTCONN);
  free(buffer.mem);
}

fuse_session *makeSession(Bed &bed) {
  fuse_lowlevel_ops operations{};
  addMetadataOperations(operations);
  addDataOperations(operations);
  const std::string options = "default_permissions,subtype=" + std::string(kProgramName) +
                              ",fsname=" + kProgramName + ":" + std::to_string(getpid()) +
                              ",max_read=" + std::to_string(kMaxRequestBytes);
  const char *const words[] = {kProgramName, "-o", options.c_str()};
  fuse_args arguments = FUSE_ARGS_INIT(3, const_cast<char **>(words));
  fuse_session *session = fuse_session_new(&arguments, &operations, sizeof operations, &bed);
  fuse_opt_free_args(&arguments);
  return session;
}

/// The child process. Failures go to \p reportFd as text.
int runDaemon(const Settings &settings, int reportFd) {
  const auto fail = [&](const std::string &message) {
    return write(reportFd, message.data(), message.size()) > 0 ? 1 : 2;
  };
  const int backingFd = open(settings.backing.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (backingFd < 0)
    return fail(settings.backing + ": " + std::strerror(errno));
  Bed bed(settings, backingFd);
  bed.readyFd = reportFd;
  umask(0); // the kernel has applied the caller's

  fuse_session *session = makeSession(bed);
  if (session == nullptr)
    return fail("libfuse refuses its options");
  fuse_set_signal_handlers(session);
  if (fuse_session_mount(session, settings.mountPoint.c_str()) != 0) {
    fuse_session_destroy(session);
    return fail("cannot mount at " + settings.mountPoint +
                " (is FUSE there: /dev/fuse, fusermount3?)");
  }
  serve(session, bed);
  fuse_session_unmount(session);
  fuse_remove_signal_handlers(session);
  fuse_session_destroy(session);
  return 0;
}

void detachFromTerminal() {
  setsid();
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || chdir("/") != 0)
    _exit(1);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(null, fd);
}

} // namespace

std::string startDaemon(const Settings &settings) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    return std::strerror(errno);
  const pid_t child = fork();
  if (child < 0)
    return std::strerror(errno);
  if (child == 0) {
    close(report[0]);
    detachFromTerminal();
    _exit(runDaemon(settings, report[1]));
  }
  close(report[1]);
  std::string message;
  char chunk[256];
  ssize_t got = 0;
  while ((got = read(report[0], chunk, sizeof chunk)) > 0)
    message.append(chunk, static_cast<std::size_t>(got));
  close(report[0]);
  if (message == std::string(1, '\0'))
    return {};
  waitpid(child, nullptr, 0);
  return message.empty() ? "the daemon ended before it was mounted" : message;
}

} // namespace forerun::testbed
