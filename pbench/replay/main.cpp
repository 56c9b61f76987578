// SPDX-License-Identifier: Apache-2.0
// pbench-replay: how long the storage needs for the same requests at its best concurrency.
#include "Player.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <getopt.h>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace pbench;

const char *const kUsage =
    "usage: pbench-replay [--direct] FILE TRACE...\n"
    "Reads from FILE the requests of all TRACEs (pbench --dump-trace) together, with 64, 32, ...\n"
    "1 in flight for each trace, by io_uring and by threads, and prints what each took and the\n"
    "best as comma separated values. --direct: O_DIRECT.\n";

constexpr unsigned kMaxThreads = 256;
constexpr unsigned kMaxInRing = 4096;

struct Way {
  const char *name;
  double (*play)(const Trace &, int, unsigned);
  unsigned max; ///< requests in flight
};

class File {
public:
  File(const std::string &path, bool direct)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0))) {
    if (fd_ < 0)
      throw std::runtime_error(path + ": " + std::strerror(errno));
  }
  ~File() { close(fd_); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  int fd() const { return fd_; }
  /// What an earlier pass brought into the page cache must not help the next.
  void forget() const { posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED); }

private:
  int fd_;
};

/// Tries \p way with ever fewer requests in flight, until it clearly gets slower. Returns the best
/// time.
double best(const Way &way, const Trace &trace, const File &file, double bestSoFar) {
  constexpr double kClearlySlower = 1.5;
  for (unsigned each = 64; each >= 1; each /= 2) {
    const auto inFlight = static_cast<unsigned>(each * trace.ranks);
    if (inFlight > way.max)
      continue;
    file.forget();
    const double seconds = way.play(trace, file.fd(), inFlight);
    std::printf("%s,%u,%.6f,%.1f\n", way.name, inFlight, seconds,
                static_cast<double>(trace.bytes) / seconds / (1 << 20));
    std::fflush(stdout);
    if (seconds > kClearlySlower * bestSoFar)
      break;
    bestSoFar = seconds < bestSoFar ? seconds : bestSoFar;
  }
  return bestSoFar;
}

int replay(const std::vector<std::string> &words, bool direct) {
  const Trace trace = loadTrace({words.begin() + 1, words.end()}, direct);
  const File file(words[0], direct);
  std::printf("engine,in_flight,seconds,mib_s\n");
  double seconds = std::numeric_limits<double>::infinity();
  if (ioUringWorks())
    seconds = best({"io_uring", playWithIoUring, kMaxInRing}, trace, file, seconds);
  seconds = best({"threads", playWithThreads, kMaxThreads}, trace, file, seconds);
  std::printf("best,,%.6f,%.1f\n", seconds, static_cast<double>(trace.bytes) / seconds / (1 << 20));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  constexpr option kOptions[] = {{"direct", no_argument, nullptr, 'd'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {"version", no_argument, nullptr, 'V'},
                                 {nullptr, 0, nullptr, 0}};
  bool direct = false;
  for (int code = 0; (code = getopt_long(argc, argv, "", kOptions, nullptr)) != -1;) {
    switch (code) {
    case 'd':
      direct = true;
      break;
    case 'h':
      std::fputs(kUsage, stdout);
      return 0;
    case 'V':
      std::puts("pbench-replay (Forerun) " FORERUN_VERSION);
      return 0;
    default: // getopt has said what is wrong
      return 2;
    }
  }
  const std::vector<std::string> words(argv + optind, argv + argc);
  if (words.size() < 2) {
    std::fputs("pbench-replay: expected FILE and at least one TRACE (--help for help)\n", stderr);
    return 2;
  }
  try {
    return replay(words, direct);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "pbench-replay: %s\n", failure.what());
    return 1;
  }
}
