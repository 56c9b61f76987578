// SPDX-License-Identifier: Apache-2.0
#include "base/MpiGate.h"
#include "exchange/Exchanged.h"
#include "exchange/Parts.h"
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <algorithm>
#include <array>
#include <cstring>

/// \file
/// Collective communication among the pre-execution threads. Each function returns 1 if it was
/// made, otherwise 0: then the value comes from the main thread, as if nothing had been tried. What
/// the others need from this process is sent in any case.
///
/// If each process receives something from all, few processes send it to each other: then a thread
/// waits for one message, and for nobody who is late for a reason of his own. Of many it passes
/// through the first process: two messages for each of the others. Alltoall and its variants are
/// always made directly.

using forerun::Bytes;
using forerun::Exchange;
using forerun::exchangeableBytes;
using forerun::Exchanged;
using forerun::InMpi;
using forerun::Parts;
using forerun::PreThread;

namespace {

/// What this process contributes: `count` elements, or its part of `to` in place (MPI_IN_PLACE).
struct Given {
  const void *from;
  int count;
  MPI_Datatype type;

  std::optional<Bytes> measure() const {
    const auto bytes = from == MPI_IN_PLACE ? std::nullopt : exchangeableBytes(count, type);
    return bytes ? std::optional(Bytes{static_cast<const std::byte *>(from), *bytes})
                 : std::nullopt;
  }
  std::optional<Bytes> measure(const void *to, const Parts &parts, int me) const {
    const auto mine = from == MPI_IN_PLACE ? parts.of(to, me) : measure();
    return mine && mine->size() == parts.bytes(me) ? mine : std::nullopt;
  }
};

/// What all contribute, one after the other, where the others send it to; null: the main thread was
/// faster.
std::byte *collect(Exchanged &call, Bytes mine, const Parts &parts) {
  std::byte *const all = call.memory(parts.allBytes());
  std::byte *place = all;
  for (int from = 0; from < call.size(); ++from) {
    const std::size_t bytes = parts.bytes(from);
    if (from != call.me() && !call.receive(from, place, bytes))
      return nullptr;
    if (from == call.me() && bytes != 0)
      std::memcpy(place, mine.data(), bytes);
    place += bytes;
  }
  return all;
}

/// Only the root knows the parts.
int gather(Exchanged &call, const Given &given, void *to, Parts parts, int root) {
  if (!call.has(root))
    return 0;
  if (call.me() != root) {
    const auto mine = given.measure();
    if (!mine)
      return 0;
    call.send(root, *mine);
    return call.done();
  }
  if (!parts.measure(call.size()))
    return 0;
  const auto mine = given.measure(to, parts, root);
  const std::byte *all = mine ? collect(call, *mine, parts) : nullptr;
  if (all == nullptr)
    return 0;
  parts.unpack(call, to, all);
  return call.done();
}

bool isAmongFew(const Exchanged &call) {
  constexpr int kFew = 8;
  return call.size() <= kFew;
}

void sendToOthers(Exchanged &call, Bytes data) {
  for (int each = 0; each < call.size(); ++each)
    if (each != call.me())
      call.send(each, data);
}

int allgather(Exchanged &call, const Given &given, void *to, Parts parts) {
  if (!call || !parts.measure(call.size()) || parts.allBytes() > Exchange::kMaxBytes)
    return 0;
  const auto mine = given.measure(to, parts, call.me());
  if (!mine)
    return 0;
  const bool isDirect = isAmongFew(call);
  if (isDirect)
    sendToOthers(call, *mine);
  if (!isDirect && call.me() != 0) {
    call.send(0, *mine);
    const auto *all = call.await(0);
    if (all == nullptr || all->size() != parts.allBytes())
      return 0;
    parts.unpack(call, to, all->data());
    return call.done();
  }
  const std::byte *all = collect(call, *mine, parts);
  if (all == nullptr)
    return 0;
  if (!isDirect)
    sendToOthers(call, {all, parts.allBytes()});
  parts.unpack(call, to, all);
  return call.done();
}

/// Only the root knows the parts.
int scatter(Exchanged &call, const void *from, Parts parts, void *to, int count, MPI_Datatype type,
            int root) {
  if (!call.has(root))
    return 0;
  if (call.me() != root) {
    const auto bytes = exchangeableBytes(count, type);
    return bytes ? call.take(root, to, *bytes) : 0;
  }
  if (!parts.measure(call.size()))
    return 0;
  for (int each = 0; each < call.size(); ++each) {
    const Bytes part = parts.of(from, each);
    if (each != root)
      call.send(each, part);
    else if (to != MPI_IN_PLACE && !part.empty())
      std::memcpy(call.own(to, part.size()), part.data(), part.size());
  }
  return call.done();
}

int alltoall(Exchanged &call, const void *from, Parts fromParts, void *to, Parts toParts) {
  if (from == MPI_IN_PLACE) {
    from = to;
    fromParts = toParts;
  }
  if (!call || !fromParts.measure(call.size()) || !toParts.measure(call.size()))
    return 0;
  const Bytes mine = fromParts.of(from, call.me());
  for (int each = 0; each < call.size(); ++each)
    if (each != call.me())
      call.send(each, fromParts.of(from, each));
  if (mine.size() != toParts.bytes(call.me()))
    return 0;
  toParts.fill(call, to, call.me(), mine.data());
  for (int each = 0; each < call.size(); ++each) {
    const auto *part = each == call.me() ? nullptr : call.await(each);
    if (each != call.me() && (part == nullptr || part->size() != toParts.bytes(each)))
      return 0;
    if (part != nullptr)
      toParts.fill(call, to, each, part->data());
  }
  return call.done();
}

/// The operands of a reduction, `count` elements of each process.
class Operands {
public:
  Operands(const void *from, const void *to, int count, MPI_Datatype type, MPI_Op op)
      : mine_(from == MPI_IN_PLACE ? to : from), count_(count), type_(type), op_(op),
        parts_(count, type) {}

  bool measure(const Exchanged &call) { return call && isOfMpi() && parts_.measure(call.size()); }
  Bytes mine() const { return parts_.of(mine_, 0); }
  std::byte *collect(Exchanged &call) const { return ::collect(call, mine(), parts_); }

  /// The reduction of the first \p pieces of \p all, stored in the last of them.
  Bytes reduce(std::byte *all, int pieces) const {
    const PreThread::Unstoppable unstoppable;
    const InMpi inMpi;
    const std::size_t bytes = parts_.bytes(0);
    std::byte *result = all + bytes * static_cast<std::size_t>(pieces - 1);
    for (std::byte *piece = result; piece != all;) {
      piece -= bytes;
      PMPI_Reduce_local(piece, result, count_, type_, op_);
    }
    return {result, bytes};
  }

private:
  bool isOfMpi() const {
    const std::array kOps = {MPI_MAX,  MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND,
                             MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
    return std::find(kOps.begin(), kOps.end(), op_) != kOps.end();
  }

  const void *mine_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  Parts parts_;
};

/// Each process, or the first one of many, collects the operands. The process \p rank gets the
/// \p bytes that `result(all, rank)` returns. That is called from the last rank to the first, since
/// a reduction changes its operands.
template <class Result>
int reduceForEach(Exchanged &call, const Operands &operands, void *to, std::size_t bytes,
                  const Result &result) {
  const bool isDirect = isAmongFew(call);
  if (isDirect)
    sendToOthers(call, operands.mine());
  if (!isDirect && call.me() != 0) {
    call.send(0, operands.mine());
    return call.take(0, to, bytes);
  }
  std::byte *all = operands.collect(call);
  if (all == nullptr)
    return 0;
  for (int each = call.size() - 1; !isDirect && each > 0; --each)
    call.send(each, result(all, each));
  if (const Bytes own = result(all, call.me()); !own.empty())
    std::memcpy(call.own(to, own.size()), own.data(), own.size());
  return call.done();
}

/// Each process receives a part of the reduction.
int reduceScatter(Exchanged &call, const void *from, void *to, Parts parts, MPI_Datatype type,
                  MPI_Op op) {
  const auto each = exchangeableBytes(1, type);
  if (!call || !each || !parts.measure(call.size()) || parts.allBytes() > Exchange::kMaxBytes)
    return 0;
  Operands operands(from, to, static_cast<int>(parts.allBytes() / *each), type, op);
  if (!operands.measure(call))
    return 0;
  Bytes whole;
  return reduceForEach(call, operands, to, parts.bytes(call.me()), [&](std::byte *all, int rank) {
    if (whole.empty())
      whole = operands.reduce(all, call.size());
    return parts.of(whole.data(), rank);
  });
}

/// Each process receives the reduction of what the processes before it contribute, and of its own
/// unless it is exclusive.
int scan(Exchanged &call, const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
         bool isExclusive) {
  Operands operands(from, to, count, type, op);
  if (!operands.measure(call))
    return 0;
  return reduceForEach(call, operands, to, operands.mine().size(), [&](std::byte *all, int rank) {
    const int pieces = isExclusive ? rank : rank + 1;
    return pieces > 0 ? operands.reduce(all, pieces) : Bytes{};
  });
}

} // namespace

extern "C" {

void forerun_pre_skip_collective(int site, int values, MPI_Comm comm) {
  Exchanged(site, values, comm).done();
}

int forerun_pre_MPI_Bcast(int site, int values, void *buffer, int count, MPI_Datatype type,
                          int root, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  const auto bytes = exchangeableBytes(count, type);
  if (!call.has(root) || !bytes)
    return 0;
  if (call.me() != root)
    return call.take(root, buffer, *bytes);
  for (int to = 0; to < call.size(); ++to)
    if (to != root)
      call.send(to, {static_cast<const std::byte *>(buffer), *bytes});
  return call.done();
}

int forerun_pre_MPI_Scatter(int site, int values, const void *from, int fromCount,
                            MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                            int root, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return scatter(call, from, {fromCount, fromType}, to, toCount, toType, root);
}

int forerun_pre_MPI_Scatterv(int site, int values, const void *from, const int *fromCounts,
                             const int *places, MPI_Datatype fromType, void *to, int toCount,
                             MPI_Datatype toType, int root, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return scatter(call, from, {fromCounts, places, fromType}, to, toCount, toType, root);
}

int forerun_pre_MPI_Gather(int site, int values, const void *from, int fromCount,
                           MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                           int root, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return gather(call, {from, fromCount, fromType}, to, {toCount, toType}, root);
}

int forerun_pre_MPI_Gatherv(int site, int values, const void *from, int fromCount,
                            MPI_Datatype fromType, void *to, const int *toCounts, const int *places,
                            MPI_Datatype toType, int root, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return gather(call, {from, fromCount, fromType}, to, {toCounts, places, toType}, root);
}

int forerun_pre_MPI_Allgather(int site, int values, const void *from, int fromCount,
                              MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                              MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return allgather(call, {from, fromCount, fromType}, to, {toCount, toType});
}

int forerun_pre_MPI_Allgatherv(int site, int values, const void *from, int fromCount,
                               MPI_Datatype fromType, void *to, const int *toCounts,
                               const int *places, MPI_Datatype toType, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return allgather(call, {from, fromCount, fromType}, to, {toCounts, places, toType});
}

int forerun_pre_MPI_Alltoall(int site, int values, const void *from, int fromCount,
                             MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                             MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return alltoall(call, from, {fromCount, fromType}, to, {toCount, toType});
}

int forerun_pre_MPI_Alltoallv(int site, int values, const void *from, const int *fromCounts,
                              const int *fromPlaces, MPI_Datatype fromType, void *to,
                              const int *toCounts, const int *toPlaces, MPI_Datatype toType,
                              MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return alltoall(call, from, {fromCounts, fromPlaces, fromType}, to, {toCounts, toPlaces, toType});
}

int forerun_pre_MPI_Reduce(int site, int values, const void *from, void *to, int count,
                           MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  Operands operands(from, to, count, type, op);
  if (!call.has(root) || !operands.measure(call))
    return 0;
  if (call.me() != root) {
    call.send(root, operands.mine());
    return call.done();
  }
  std::byte *all = operands.collect(call);
  if (all == nullptr)
    return 0;
  if (const Bytes result = operands.reduce(all, call.size()); !result.empty())
    std::memcpy(call.own(to, result.size()), result.data(), result.size());
  return call.done();
}

int forerun_pre_MPI_Allreduce(int site, int values, const void *from, void *to, int count,
                              MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  Operands operands(from, to, count, type, op);
  if (!operands.measure(call))
    return 0;
  Bytes whole;
  return reduceForEach(call, operands, to, operands.mine().size(), [&](std::byte *all, int) {
    if (whole.empty())
      whole = operands.reduce(all, call.size());
    return whole;
  });
}

int forerun_pre_MPI_Reduce_scatter_block(int site, int values, const void *from, void *to,
                                         int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return reduceScatter(call, from, to, {count, type}, type, op);
}

int forerun_pre_MPI_Reduce_scatter(int site, int values, const void *from, void *to,
                                   const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return reduceScatter(call, from, to, {counts, nullptr, type}, type, op);
}

int forerun_pre_MPI_Scan(int site, int values, const void *from, void *to, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return scan(call, from, to, count, type, op, false);
}

int forerun_pre_MPI_Exscan(int site, int values, const void *from, void *to, int count,
                           MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Exchanged call(site, values, comm);
  return scan(call, from, to, count, type, op, true);
}
}
