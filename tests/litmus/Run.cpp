// SPDX-License-Identifier: Apache-2.0
#include "Run.h"
#include "../MpiCheck.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <forerun/prefetch.h>
#include <fstream>
#include <string_view>
#include <unistd.h>

namespace litmus {

namespace {

/// Byte \p offset of version 0; version n is n more.
std::uint8_t first(int file, std::uint64_t offset) {
  return static_cast<std::uint8_t>(offset * 31 + (offset >> 8) * 7 + (offset >> 16) * 13 +
                                   static_cast<std::uint64_t>(file) * 101);
}

std::vector<std::uint8_t> bytesOf(int file, std::uint64_t offset, std::uint64_t length,
                                  int version) {
  std::vector<std::uint8_t> bytes(length);
  for (std::uint64_t n = 0; n < length; ++n)
    bytes[n] = static_cast<std::uint8_t>(first(file, offset + n) + version);
  return bytes;
}

int modeOf(Access access) {
  switch (access) {
  case Access::ReadOnly:
    return MPI_MODE_RDONLY;
  case Access::WriteOnly:
    return MPI_MODE_WRONLY;
  default:
    return MPI_MODE_RDWR;
  }
}

MPI_Info infoOf(Cached cached) {
  static constexpr std::array kModes = {"on", "auto", "off", "on"};
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "forerun_cache", kModes.at(static_cast<std::size_t>(cached)));
  if (cached == Cached::Without)
    MPI_Info_set(info, "forerun", "0");
  // A collective write that reads the gaps, and writes them back, would conflict with others'
  // writes.
  MPI_Info_set(info, "romio_cb_write", "disable");
  MPI_Info_set(info, "romio_ds_write", "disable");
  return info;
}

/// Under ThreadSanitizer, blocking writes replace non-blocking ones: libc's asynchronous I/O
/// creates and ends threads that it cannot track.
#ifdef __SANITIZE_THREAD__
constexpr bool kNonBlocking = false;
#else
constexpr bool kNonBlocking = true;
#endif

constexpr std::array kActions = {
    "read",   "prefetched read", "announce", "write",     "post",      "wait",      "sync",
    "resize", "reopen",          "read all", "write all", "atomic on", "atomic off"};

} // namespace

void check(int rc, const char *what) { forerun::test::mustSucceed(rc, "litmus", what); }

void Tally::add(const Tally &more) {
  programs += more.programs;
  reads += more.reads;
  writes += more.writes;
  newer += more.newer;
  wrong += more.wrong;
}

// ---- files ----

Run::Run(const Program &program, const std::string &directory, std::uint64_t seed)
    : program_(program), directory_(directory), seed_(seed),
      files_(program.handles.size(), MPI_FILE_NULL) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  if (rank_ == 0) {
    removeFiles();
    makeFiles();
  }
  MPI_Bcast(&linked_, 1, MPI_CXX_BOOL, 0, MPI_COMM_WORLD);
  for (std::size_t handle = 0; handle < files_.size(); ++handle)
    open(static_cast<int>(handle), Name::Plain);
}

Run::~Run() {
  for (MPI_File &each : files_)
    MPI_File_close(&each);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_ == 0)
    removeFiles();
}

std::string Run::path(int file) const { return directory_ + "/litmus." + std::to_string(file); }

std::string Run::pathBy(Name name, int file) const {
  switch (name) {
  case Name::Symbolic:
    return linked_ ? path(file) + ".symbolic" : path(file);
  case Name::Hard:
    return linked_ ? path(file) + ".hard" : path(file);
  case Name::Spelt:
    return directory_ + "/./litmus." + std::to_string(file);
  default:
    return path(file);
  }
}

/// Some file systems have no links; then files have fewer names.
void Run::makeFiles() {
  for (int file = 0; file < kFiles; ++file) {
    const auto bytes = bytesOf(file, 0, program_.fileBytes[static_cast<std::size_t>(file)], 0);
    std::ofstream(path(file), std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const std::string target = "litmus." + std::to_string(file);
    linked_ = linked_ && symlink(target.c_str(), (path(file) + ".symbolic").c_str()) == 0 &&
              link(path(file).c_str(), (path(file) + ".hard").c_str()) == 0;
  }
}

void Run::removeFiles() const {
  for (int file = 0; file < kFiles; ++file)
    for (const char *name : {"", ".symbolic", ".hard"})
      unlink((path(file) + name).c_str());
}

void Run::open(int handle, Name name) {
  const Handle &it = program_.handles[static_cast<std::size_t>(handle)];
  const std::string prefix = it.nfs ? "nfs:" : name == Name::Prefixed ? "ufs:" : "";
  MPI_Info info = infoOf(it.cached);
  check(MPI_File_open(it.world ? MPI_COMM_WORLD : MPI_COMM_SELF,
                      (prefix + pathBy(name, it.file)).c_str(),
                      modeOf(it.access[static_cast<std::size_t>(rank_)]), info,
                      &files_[static_cast<std::size_t>(handle)]),
        "open");
  MPI_Info_free(&info);
}

// ---- operations ----

Tally Run::carryOut() {
  ++tally_.programs;
  for (const Round &round : program_.rounds) {
    ++round_;
    step_ = 0;
    for (const Operation &operation : round.operations[static_cast<std::size_t>(rank_)]) {
      ++step_;
      carryOut(operation);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return tally_;
}

MPI_File &Run::file(const Operation &operation) {
  return files_[static_cast<std::size_t>(operation.handle)];
}

void Run::carryOut(const Operation &operation) {
  MPI_File &fh = file(operation);
  const auto offset = static_cast<MPI_Offset>(operation.offset);
  switch (operation.action) {
  case Action::Announce:
    MPI_File_prefetch_at(fh, offset, static_cast<int>(operation.length), MPI_BYTE);
    return;
  case Action::Sync:
    MPI_File_sync(fh); // an error if it is open read-only, and still a sync
    return;
  case Action::Resize: {
    const int number = program_.handles[static_cast<std::size_t>(operation.handle)].file;
    const std::uint64_t bytes = program_.fileBytes[static_cast<std::size_t>(number)];
    check(MPI_File_set_size(fh, static_cast<MPI_Offset>(bytes)), "set_size");
    return;
  }
  case Action::Reopen:
    check(MPI_File_close(&fh), "close");
    open(operation.handle, operation.name);
    return;
  case Action::AtomicOn:
  case Action::AtomicOff:
    check(MPI_File_set_atomicity(fh, operation.action == Action::AtomicOn ? 1 : 0),
          "set_atomicity");
    return;
  case Action::Wait:
    return wait(operation.cell);
  case Action::Write:
  case Action::Post:
  case Action::WriteAll:
    return write(operation);
  default:
    return read(operation);
  }
}

void Run::read(const Operation &operation) {
  std::vector<std::uint8_t> bytes(operation.length);
  MPI_File fh = file(operation);
  const auto offset = static_cast<MPI_Offset>(operation.offset);
  const int length = static_cast<int>(operation.length);
  if (operation.action == Action::PrefetchedRead) {
    std::size_t got = 0;
    // Without a cache it returns nothing; it may fail for other reasons, too.
    if (MPI_File_prefetch_read_at(fh, offset, bytes.data(), length, MPI_BYTE, &got) ==
            MPI_SUCCESS &&
        got == bytes.size())
      judge(operation, bytes);
    return;
  }
  MPI_Status status;
  int got = 0;
  check(operation.action == Action::ReadAll
            ? MPI_File_read_at_all(fh, offset, bytes.data(), length, MPI_BYTE, &status)
            : MPI_File_read_at(fh, offset, bytes.data(), length, MPI_BYTE, &status),
        "read");
  MPI_Get_count(&status, MPI_BYTE, &got);
  if (got != length) {
    ++tally_.wrong;
    std::printf("litmus: seed %llu, rank %d, round %zu, step %zu: %d bytes of %d\n",
                static_cast<unsigned long long>(seed_), rank_, round_, step_, got, length);
  }
  judge(operation, bytes);
}

void Run::write(const Operation &operation) {
  const int number = program_.handles[static_cast<std::size_t>(operation.handle)].file;
  std::vector<std::uint8_t> bytes =
      bytesOf(number, operation.offset, operation.length, operation.version);
  MPI_File fh = file(operation);
  const auto offset = static_cast<MPI_Offset>(operation.offset);
  const int length = static_cast<int>(operation.length);
  tally_.writes += length > 0 ? 1 : 0;
  if (operation.action == Action::WriteAll) {
    check(MPI_File_write_at_all(fh, offset, bytes.data(), length, MPI_BYTE, MPI_STATUS_IGNORE),
          "write_at_all");
    return;
  }
  if (operation.action == Action::Write) {
    check(MPI_File_write_at(fh, offset, bytes.data(), length, MPI_BYTE, MPI_STATUS_IGNORE),
          "write_at");
    return;
  }
  Posted &posted = posted_.emplace_back(operation.cell, std::move(bytes), MPI_REQUEST_NULL);
  if (!kNonBlocking) {
    check(MPI_File_write_at(fh, offset, posted.bytes.data(), length, MPI_BYTE, MPI_STATUS_IGNORE),
          "write_at");
    return;
  }
  check(MPI_File_iwrite_at(fh, offset, posted.bytes.data(), length, MPI_BYTE, &posted.request),
        "iwrite_at");
}

void Run::wait(int cell) {
  const auto found = std::ranges::find(posted_, cell, &Posted::cell);
  check(MPI_Wait(&found->request, MPI_STATUS_IGNORE), "wait");
  posted_.erase(found);
}

void Run::judge(const Operation &operation, const std::vector<std::uint8_t> &bytes) {
  ++tally_.reads;
  for (const Piece &piece : operation.pieces) {
    const Cell &cell = program_.cells[static_cast<std::size_t>(piece.cell)];
    std::uint64_t wrong = 0;
    int version = 0; // of the first wrong byte, if it has any
    for (std::uint64_t n = 0; n < piece.length; ++n) {
      const std::uint64_t offset = piece.offset + n;
      const int read =
          static_cast<std::uint8_t>(bytes[offset - operation.offset] - first(cell.file, offset));
      tally_.newer += read > piece.versions.least ? 1 : 0;
      if (read >= piece.versions.least && read <= piece.versions.most)
        continue;
      version = wrong++ == 0 ? read : version;
    }
    if (wrong == 0)
      continue;
    ++tally_.wrong;
    std::printf("litmus: seed %llu, rank %d, round %zu, step %zu: %s of file %d through handle %d: "
                "%llu of %llu bytes of cell %d are of version %d or so, not %d to %d\n",
                static_cast<unsigned long long>(seed_), rank_, round_, step_,
                kActions.at(static_cast<std::size_t>(operation.action)), cell.file,
                operation.handle, static_cast<unsigned long long>(wrong),
                static_cast<unsigned long long>(piece.length), piece.cell, version,
                piece.versions.least, piece.versions.most);
  }
}

} // namespace litmus
