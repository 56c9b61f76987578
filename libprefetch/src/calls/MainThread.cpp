// SPDX-License-Identifier: Apache-2.0
#include "base/SafeRead.h"
#include "calls/Guarded.h"
#include "calls/TheProcess.h"
#include "forerun/runtime.h"
#include "thread/RandomStreams.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// What the main thread calls. With Forerun off, each function does what the call that it replaces
/// would have done.

using forerun::Process;
using forerun::theProcess;

namespace {

/// What callers pass for an output that they do not want, or that their rank does not have: nothing
/// was written there. MPI_BOTTOM is an address, but only for datatypes that hold one.
bool isNowhere(const void *data) {
  return data == nullptr || data == MPI_IN_PLACE || data == MPI_STATUS_IGNORE;
}

/// For the value that is forwarded next: it comes with this request.
thread_local MPI_Request deferredTo = MPI_REQUEST_NULL;

void send(Process &process, int site, const forerun::Forwarding::Value &value) {
  if (const char *why = process.handing().values.send(site, value))
    process.endPreThread(why);
}

void forward(Process &process, int site, const forerun::Forwarding::Value &value) {
  const MPI_Request request = std::exchange(deferredTo, MPI_REQUEST_NULL);
  if (request != MPI_REQUEST_NULL)
    process.handing().deferred.start(site, request, value);
  else
    send(process, site, value);
}

/// Where the bytes of \p count elements lie, relative to the buffer's address.
struct Span {
  MPI_Count first = 0, bytes = 0;
};

Span spanOf(int count, MPI_Datatype type) {
  MPI_Count lower = 0, extent = 0, trueLower = 0, trueExtent = 0;
  if (count <= 0 || PMPI_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS ||
      PMPI_Type_get_true_extent_x(type, &trueLower, &trueExtent) != MPI_SUCCESS)
    return {};
  const MPI_Count last = extent * (count - 1);
  return {trueLower + std::min<MPI_Count>(last, 0), trueExtent + std::max(last, -last)};
}

/// The span of several parts at these displacements.
Span spreadOf(int parts, const int *counts, const int *displacements, MPI_Datatype type) {
  MPI_Count lower = 0, extent = 0, low = 0, high = 0;
  bool isEmpty = true;
  for (int i = 0; i < parts; ++i) {
    const Span one = spanOf(counts[i], type);
    if (one.bytes == 0 || PMPI_Type_get_extent_x(type, &lower, &extent) != MPI_SUCCESS)
      continue;
    const MPI_Count first = displacements[i] * extent + one.first;
    low = isEmpty ? first : std::min(low, first);
    high = isEmpty ? first + one.bytes : std::max(high, first + one.bytes);
    isEmpty = false;
  }
  return {low, high - low};
}

void forwardSpan(Process &process, int site, const void *buffer, Span span) {
  if (isNowhere(buffer) && span.first == 0)
    span.bytes = 0;
  const auto first = static_cast<std::ptrdiff_t>(span.first);
  forward(process, site,
          {static_cast<const std::byte *>(buffer) + first, static_cast<std::size_t>(span.bytes),
           first});
}

bool mayLaunch() {
  bool may = false;
  forerun::guarded([&] { may = theProcess().mayLaunch(); });
  return may;
}

/// \p threaded: MPI_Init_thread or PMPI_Init_thread, as the program calls it: it may have an
/// MPI_Init of its own that calls PMPI_Init. The program is told that it got what it asked for, if
/// MPI gave at least that.
int initThread(decltype(MPI_Init_thread) *threaded, int *argc, char ***argv, int required,
               int *provided) {
  if (!mayLaunch())
    return threaded(argc, argv, required, provided);
  const int least = theProcess().preCallsMpi() ? MPI_THREAD_MULTIPLE : required;
  const int rc = threaded(argc, argv, std::max<int>(required, least), provided);
  if (rc == MPI_SUCCESS)
    forerun::guarded([&] {
      theProcess().mpiIsUpEverywhere();
      theProcess().noteToldLevel(required);
      *provided = theProcess().toldLevel(*provided);
    });
  return rc;
}

/// For a program that leaves without MPI_Finalize: its data is destroyed, so the thread that reads
/// it must end.
void endBeforeExit() {
  if (theProcess().preThread() == nullptr)
    return;
  [[maybe_unused]] static const int kOnce = std::atexit([] { theProcess().endPreThread("exit"); });
}

/// The level that MPI_Init gives: the lowest, or what MPICH is told to give instead.
int levelOfInit() {
  static constexpr std::array kLevels{
      std::pair{"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
      std::pair{"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
      std::pair{"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE},
  };
  const char *const asked = std::getenv("MPIR_CVAR_DEFAULT_THREAD_LEVEL");
  const auto *const level = std::ranges::find_if(kLevels, [&](const auto &each) {
    return asked != nullptr && each.first == std::string_view(asked);
  });
  return level != kLevels.end() ? level->second : MPI_THREAD_SINGLE;
}

int init(decltype(MPI_Init) *plain, decltype(MPI_Init_thread) *threaded, int *argc, char ***argv) {
  if (!mayLaunch())
    return plain(argc, argv);
  int provided = MPI_THREAD_SINGLE;
  return initThread(threaded, argc, argv, levelOfInit(), &provided);
}

} // namespace

extern "C" {

void forerun_main_begin(int argc, char **argv) {
  forerun::guarded([&] { theProcess().begin(argc, argv); });
}

void forerun_main_without_mpi(void) { theProcess().notePreCallsNoMpi(); }

int forerun_main_MPI_Init(int *argc, char ***argv) {
  return init(MPI_Init, MPI_Init_thread, argc, argv);
}

int forerun_main_PMPI_Init(int *argc, char ***argv) {
  return init(PMPI_Init, PMPI_Init_thread, argc, argv);
}

int forerun_main_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return initThread(MPI_Init_thread, argc, argv, required, provided);
}

int forerun_main_PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return initThread(PMPI_Init_thread, argc, argv, required, provided);
}

int forerun_main_exchange(int rc) {
  if (rc == MPI_SUCCESS)
    forerun::guarded([] { theProcess().openExchange(); });
  return rc;
}

int forerun_main_start(int (*pre)(int argc, char **argv), int sites, int rc) {
  if (rc == MPI_SUCCESS)
    forerun::guarded([&] {
      theProcess().start(pre, sites);
      endBeforeExit();
    });
  return rc;
}

void forerun_main_launch(void (*pre)(void *argument), const void *data, size_t bytes, int sites) {
  forerun::guarded([&] {
    theProcess().launch(pre, data, bytes, sites);
    endBeforeExit();
  });
}

int forerun_main_done(int site, int rc) {
  forerun::guarded([&] { theProcess().pass(site, rc == MPI_SUCCESS); });
  return rc;
}

int forerun_main_generators(int site, int rc) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (!process.forwards())
      return;
    const forerun::RandomStreams::State state = forerun::RandomStreams::ofProgram();
    forward(process, site, {reinterpret_cast<const std::byte *>(&state), sizeof state, 0});
  });
  return rc;
}

void forerun_main_sought(int site, MPI_File file) {
  MPI_Offset position = 0;
  if (mayLaunch() && file != MPI_FILE_NULL)
    PMPI_File_get_position(file, &position);
  forerun_main_forward(site, &position, sizeof position);
}

void forerun_main_know_places(struct forerun_main_places *places) {
  forerun::SiteReads::know(*places);
}

void forerun_main_forward(int site, const void *data, size_t bytes) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (process.forwards())
      forward(process, site,
              {static_cast<const std::byte *>(data), isNowhere(data) ? 0 : bytes, 0});
  });
}

int forerun_main_condition(int site, int holds) {
  forerun_main_forward(site, &holds, sizeof holds);
  return holds;
}

void forerun_main_forward_typed(int site, const void *buffer, int count, MPI_Datatype type) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (process.forwards())
      forwardSpan(process, site, buffer, spanOf(count, type));
  });
}

void forerun_main_forward_spread(int site, const void *buffer, int parts, const int *counts,
                                 const int *displacements, MPI_Datatype type) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (process.forwards())
      forwardSpan(process, site, buffer, spreadOf(parts, counts, displacements, type));
  });
}

void forerun_main_defer(const MPI_Request *request) {
  forerun::guarded([&] {
    if (theProcess().forwards())
      deferredTo = *request;
  });
}

void forerun_main_completing(int count, const MPI_Request *requests) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (process.forwards())
      process.handing().deferred.completing(count, requests);
  });
}

void forerun_main_completed(const MPI_Request *requests) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (process.forwards())
      process.handing().deferred.completed(
          requests, [&](int site, const auto &value) { send(process, site, value); });
  });
}

int forerun_main_count_of_all(int count, MPI_Comm comm) {
  int isInter = 0, processes = 0;
  if (!mayLaunch()) // nobody wants it, and MPI may be another
    return count;
  PMPI_Comm_test_inter(comm, &isInter);
  if (isInter != 0)
    PMPI_Comm_remote_size(comm, &processes);
  else
    PMPI_Comm_size(comm, &processes);
  const auto all = static_cast<long long>(count) * processes;
  return static_cast<int>(std::min<long long>(all, INT_MAX)); // more than can be handed over
}

int forerun_main_count_at_root(int count, int root, MPI_Comm comm) {
  int isInter = 0, rank = 0;
  if (!mayLaunch())
    return count;
  PMPI_Comm_test_inter(comm, &isInter);
  PMPI_Comm_rank(comm, &rank);
  return root == (isInter != 0 ? MPI_ROOT : rank) ? count : 0;
}

void forerun_main_forward_text(int site, const char *text) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (!process.forwards())
      return;
    // Includes the terminating null; NULL has no bytes at all.
    const std::size_t bytes = text != nullptr ? std::strlen(text) + 1 : 0;
    forward(process, site, {reinterpret_cast<const std::byte *>(text), bytes, 0});
  });
}

void forerun_main_forward_unsure(int site, const void *data, size_t bytes) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (!process.forwards())
      return;
    std::vector<std::byte> copy(bytes);
    const bool isThere = forerun::readIfThere(data, copy.data(), bytes) == bytes;
    forward(process, site, {copy.data(), isThere ? bytes : 0, 0});
  });
}

void forerun_main_forward_unsure_text(int site, const char *text) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (!process.forwards())
      return;
    const std::string copy = forerun::textIfThere(text);
    const std::size_t bytes = text != nullptr ? copy.size() + 1 : 0;
    forward(process, site, {reinterpret_cast<const std::byte *>(copy.c_str()), bytes, 0});
  });
}

void forerun_main_forward_type(int site, const MPI_Datatype *type) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (!process.forwards())
      return;
    const MPI_Datatype kept = process.handing().types.keep(*type);
    forward(process, site, {reinterpret_cast<const std::byte *>(&kept), sizeof kept, 0});
  });
}

void forerun_main_forward_comm(int site, const MPI_Comm *comm) {
  forerun::guarded([&] {
    Process &process = theProcess();
    if (!process.forwards())
      return;
    process.handing().groups.keep(*comm);
    forward(process, site, {reinterpret_cast<const std::byte *>(comm), sizeof *comm, 0});
  });
}
}
