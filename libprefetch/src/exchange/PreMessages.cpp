// SPDX-License-Identifier: Apache-2.0
#include "exchange/Exchanged.h"
#include "forerun/runtime.h"
#include "mpi/StatusBytes.h"

#include <cstring>

/// \file
/// Messages from one process to another, among the pre-execution threads. Each function returns 1
/// if the message was received that way (for MPI_Irecv: is awaited), otherwise 0, as in
/// PreCollectives.cpp.

using forerun::exchangeableBytes;
using forerun::Exchanged;

namespace {

/// A message that is not sent does no harm.
void send(Exchanged &call, const void *buffer, int count, MPI_Datatype type, int to) {
  if (const auto bytes = exchangeableBytes(count, type); call && bytes)
    call.send(to, {static_cast<const std::byte *>(buffer), *bytes});
}

bool receive(Exchanged &call, void *buffer, int count, MPI_Datatype type, int from, int tag,
             MPI_Status *status) {
  const auto most = exchangeableBytes(count, type);
  if (!call || !most)
    return false;
  const auto *come = call.await(from);
  if (come == nullptr || come->size() > *most)
    return false;
  if (!come->empty())
    std::memcpy(call.own(buffer, come->size()), come->data(), come->size());
  if (status == MPI_STATUS_IGNORE)
    return true;
  call.own(status, sizeof *status);
  status->MPI_SOURCE = from;
  status->MPI_TAG = tag;
  status->MPI_ERROR = MPI_SUCCESS;
  forerun::setStatusBytes(*status, come->size());
  return true;
}

} // namespace

extern "C" {

int forerun_pre_MPI_Send(int site, int values, const void *buffer, int count, MPI_Datatype type,
                         int to, int tag, MPI_Comm comm) {
  Exchanged call(site, values, comm, to, tag, true);
  send(call, buffer, count, type, to);
  return call.done(); // there is nothing to receive
}

int forerun_pre_MPI_Recv(int site, int values, void *buffer, int count, MPI_Datatype type, int from,
                         int tag, MPI_Comm comm, MPI_Status *status) {
  Exchanged call(site, values, comm, from, tag, false);
  return receive(call, buffer, count, type, from, tag, status) ? call.done() : 0;
}

int forerun_pre_MPI_Irecv(int site, int values, void *buffer, int count, MPI_Datatype type,
                          int from, int tag, MPI_Comm comm) {
  Exchanged call(site, values, comm, from, tag, false);
  const auto most = exchangeableBytes(count, type);
  return call && most ? call.receiveLater(from, buffer, *most) : 0;
}

int forerun_pre_MPI_Sendrecv(int site, int values, const void *out, int outCount,
                             MPI_Datatype outType, int to, int outTag, void *in, int inCount,
                             MPI_Datatype inType, int from, int inTag, MPI_Comm comm,
                             MPI_Status *status) {
  Exchanged outward(site, values, comm, to, outTag, true);
  Exchanged inward(site, values, comm, from, inTag, false);
  send(outward, out, outCount, outType, to);
  return receive(inward, in, inCount, inType, from, inTag, status) ? inward.done() : 0;
}

int forerun_pre_MPI_Sendrecv_replace(int site, int values, void *buffer, int count,
                                     MPI_Datatype type, int to, int outTag, int from, int inTag,
                                     MPI_Comm comm, MPI_Status *status) {
  return forerun_pre_MPI_Sendrecv(site, values, buffer, count, type, to, outTag, buffer, count,
                                  type, from, inTag, comm, status);
}
}
