// SPDX-License-Identifier: Apache-2.0
// What a twin of HDF5, and one of netCDF on top, costs: to load it, and to open a file. Arguments:
// a file to be made, and the path of netCDF's library, if there is one. Fails if the cost is more
// than docs/hdf5.md promises.

#include "twin/LinkNamespace.h"
#include "twin/LoadTwin.h"
#include "twin/LoadedLibrary.h"
#include "twin/twinHost.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <hdf5.h>
#include <string>
#include <unistd.h>

using namespace forerun;

namespace {

constexpr double kMaxMs = 50;
constexpr long kMaxKb = 10L << 10;

void must(bool good, const std::string &what) {
  if (good)
    return;
  std::fprintf(stderr, "not so: %s\n", what.c_str());
  std::exit(1);
}

double milliseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

long kilobytesOf(const std::string &what) {
  std::ifstream maps("/proc/self/smaps_rollup");
  long kilobytes = 0;
  for (std::string word; maps >> word;)
    if (word == what + ":")
      maps >> kilobytes;
  return kilobytes;
}

struct Cost {
  double wallMs = 0, cpuMs = 0;
  long residentKb = 0, ownKb = 0;
};

Cost now() {
  return {milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_THREAD_CPUTIME_ID), kilobytesOf("Rss"),
          kilobytesOf("Private_Dirty")};
}

void print(const char *what, const Cost &cost) {
  std::printf("%-22s %5.1f ms, %5.1f ms of them on a core, %5.1f MiB, %5.1f MiB of them its own\n",
              what, cost.wallMs, cost.cpuMs, static_cast<double>(cost.residentKb) / 1024,
              static_cast<double>(cost.ownKb) / 1024);
}

/// Runs \p act, prints what it costs, and adds that to \p all.
template <typename Act> void measure(const char *what, Cost &all, const Act &act) {
  const Cost before = now();
  act();
  const Cost after = now();
  const Cost cost{after.wallMs - before.wallMs, after.cpuMs - before.cpuMs,
                  after.residentKb - before.residentKb, after.ownKb - before.ownKb};
  print(what, cost);
  all = {all.wallMs + cost.wallMs, all.cpuMs + cost.cpuMs, all.residentKb + cost.residentKb,
         all.ownKb + cost.ownKb};
}

int file = -1;

int size(void * /*context*/, std::uint64_t /*file*/, std::uint64_t *bytes) {
  *bytes = static_cast<std::uint64_t>(lseek(file, 0, SEEK_END));
  return 1;
}
int fetch(void * /*context*/, std::uint64_t /*file*/, std::uint64_t offset, void *buffer,
          std::size_t length, std::size_t *got) {
  const ssize_t came = pread(file, buffer, length, static_cast<off_t>(offset));
  *got = came < 0 ? 0 : static_cast<std::size_t>(came);
  return came < 0 ? 0 : 1;
}
std::uint64_t opened(void * /*context*/) { return 1; }
void end(void * /*context*/, const char *why) { must(false, why); }

forerun_twin_host host() {
  forerun_twin_host made{};
  made.size = size;
  made.fetch = fetch;
  made.opened = opened;
  made.end = end;
  return made;
}

void load(LinkNamespace &twin, const TwinOf &of) {
  static const forerun_twin_host kHost = host();
  std::string whyNot;
  const bool loaded = loadTwin(twin, of, whyNot);
  must(loaded, whyNot);
  twin.enterThread();
  auto *const begin = reinterpret_cast<const char *(*)(const forerun_twin_host *)>(
      twin.symbol(("forerun_" + of.library + "_begin").c_str()));
  must(begin != nullptr, of.library + " has a module");
  const char *const refused = begin(&kHost);
  must(refused == nullptr, refused != nullptr ? refused : "");
}

void open(const LinkNamespace &twin, const char *path) {
  const hid_t fileAccess = *static_cast<hid_t *>(twin.symbol("H5P_CLS_FILE_ACCESS_ID_g"));
  const hid_t access = reinterpret_cast<decltype(&H5Pcreate)>(twin.symbol("H5Pcreate"))(fileAccess);
  reinterpret_cast<decltype(&H5Pset_fapl_mpio)>(twin.symbol("forerun_twin_H5Pset_fapl_mpio"))(
      access, MPI_COMM_NULL, MPI_INFO_NULL);
  const auto openIt = reinterpret_cast<decltype(&H5Fopen)>(twin.symbol("forerun_twin_H5Fopen"));
  must(openIt(path, 0, access) >= 0, "the twin opens the file");
}

void make(const char *path) {
  H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  file = ::open(path, O_RDONLY | O_CLOEXEC);
  must(file >= 0, "there is a file");
}

} // namespace

int main(int argc, char **argv) {
  must(argc == 2 || argc == 3, "the arguments are FILE [NETCDF]");
  make(argv[1]);
  std::string whyNot;
  const LoadedLibrary hdf5 = libraryThatDefines("H5open", whyNot);
  must(!hdf5.path.empty(), whyNot);
  LinkNamespace twin;
  Cost all;
  measure("loading HDF5", all, [&] { load(twin, {"hdf5", hdf5.path, "H5open"}); });
  if (argc == 3)
    measure("loading netCDF on top", all,
            [&] { load(twin, {"netcdf", argv[2], "nc_inq_libvers", true}); });
  measure("opening the first file", all, [&] { open(twin, argv[1]); });
  print("all", all);
  must(all.cpuMs < kMaxMs && all.residentKb < kMaxKb, "it is soon there, and small");
  unlink(argv[1]);
  _exit(std::fflush(stdout)); // the twin's libraries have nothing to do at the end
}
