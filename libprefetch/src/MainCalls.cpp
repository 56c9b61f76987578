// SPDX-License-Identifier: Apache-2.0
#include "Runtime.h"
#include "forerun/runtime.h"

#include <algorithm>
#include <cstring>

/// \file
/// What the main thread calls. With Forerun off each does what the call it replaces would have
/// done.

using forerun::Runtime;

namespace {

/// What callers give for an output that they do not want, or that their rank has not: nothing was
/// written there. MPI_BOTTOM is an address, but only for datatypes that hold one.
bool isNowhere(const void *data) {
  return data == nullptr || data == MPI_IN_PLACE || data == MPI_STATUS_IGNORE;
}

void forward(Runtime &runtime, int site, const forerun::Forwarding::Value &value) {
  if (const char *why = runtime.forwarding().send(site, value))
    runtime.endPreThread(why);
}

/// Where the bytes of \p count elements lie, seen from the buffer's address.
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

} // namespace

extern "C" {

void forerun_main_begin(int argc, char **argv) { Runtime::get().begin(argc, argv); }

int forerun_main_MPI_Init(int *argc, char ***argv) {
  Runtime &runtime = Runtime::get();
  if (!runtime.mayLaunch())
    return MPI_Init(argc, argv);
  int provided = MPI_THREAD_SINGLE;
  const int rc = MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  if (rc == MPI_SUCCESS)
    runtime.mpiIsUpEverywhere();
  return rc;
}

int forerun_main_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  Runtime &runtime = Runtime::get();
  if (!runtime.mayLaunch())
    return MPI_Init_thread(argc, argv, required, provided);
  const int rc =
      MPI_Init_thread(argc, argv, std::max<int>(required, MPI_THREAD_MULTIPLE), provided);
  if (rc == MPI_SUCCESS)
    runtime.mpiIsUpEverywhere();
  return rc;
}

int forerun_main_start(int (*pre)(int argc, char **argv), int sites, int rc) {
  if (rc == MPI_SUCCESS)
    Runtime::get().start(pre, sites);
  return rc;
}

void forerun_main_launch(void (*pre)(void *argument), const void *data, size_t bytes, int sites) {
  Runtime::get().launch(pre, data, bytes, sites);
}

int forerun_main_done(int site, int rc) {
  Runtime::get().pass(site, rc == MPI_SUCCESS);
  return rc;
}

void forerun_main_forward(int site, const void *data, size_t bytes) {
  Runtime &runtime = Runtime::get();
  if (runtime.forwards())
    forward(runtime, site, {static_cast<const std::byte *>(data), isNowhere(data) ? 0 : bytes, 0});
}

void forerun_main_forward_typed(int site, const void *buffer, int count, MPI_Datatype type) {
  Runtime &runtime = Runtime::get();
  if (!runtime.forwards())
    return;
  Span span = spanOf(count, type);
  if (isNowhere(buffer) && span.first == 0)
    span.bytes = 0;
  const auto first = static_cast<std::ptrdiff_t>(span.first);
  forward(runtime, site,
          {static_cast<const std::byte *>(buffer) + first, static_cast<std::size_t>(span.bytes),
           first});
}

void forerun_main_forward_text(int site, const char *text) {
  Runtime &runtime = Runtime::get();
  if (!runtime.forwards())
    return;
  // With its end; NULL is no byte at all.
  const std::size_t bytes = text != nullptr ? std::strlen(text) + 1 : 0;
  forward(runtime, site, {reinterpret_cast<const std::byte *>(text), bytes, 0});
}

void forerun_main_forward_type(int site, const MPI_Datatype *type) {
  Runtime &runtime = Runtime::get();
  if (!runtime.forwards())
    return;
  const MPI_Datatype kept = runtime.forwardedTypes().keep(*type);
  forward(runtime, site, {reinterpret_cast<const std::byte *>(&kept), sizeof kept, 0});
}
}
