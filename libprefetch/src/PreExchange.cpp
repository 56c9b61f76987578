// SPDX-License-Identifier: Apache-2.0
#include "Exchange.h"
#include "Groups.h"
#include "NamedTypes.h"
#include "PreThread.h"
#include "Runtime.h"
#include "forerun/runtime.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

/// \file
/// The program's communication, made by the pre-execution threads among themselves. Each function
/// returns 1 if it has done so, else 0: then the value comes from the main thread, as if nothing
/// had been tried. What the others need of this process is sent in any case.
///
/// Only contiguous data of named datatypes, and MPI's own operations: that is what addresses are
/// made of.

using forerun::Exchange;
using forerun::Group;
using forerun::PreThread;
using forerun::Runtime;

namespace {

/// Between two looks for a message, in nanoseconds: short at first, and then so long that the look,
/// some microseconds, takes no more than a hundredth of a core.
constexpr long kFirstPause = 20'000, kLongestPause = 320'000;

class Pause {
public:
  void make(PreThread &self) {
    self.isAlive();
    nanosleep(&length_, nullptr);
    length_.tv_nsec = std::min(2 * length_.tv_nsec, kLongestPause);
  }

private:
  timespec length_{0, kFirstPause};
};

/// One call of the program that is made here.
class Exchanged {
public:
  /// Collective.
  Exchanged(int site, int values, MPI_Comm comm) : Exchanged(site, values) {
    if (!isKnown(comm))
      return;
    const Runtime::Unstoppable unstoppable;
    key_ = exchange().nextOfAll(group_->id);
  }
  /// From one process to another.
  Exchanged(int site, int values, MPI_Comm comm, int peer, int tag, bool isSent)
      : Exchanged(site, values) {
    if (!isKnown(comm))
      return;
    if (peer < 0 || peer >= size() || tag < 0) { // any source, any tag, no process
      group_ = nullptr;
      return;
    }
    const Runtime::Unstoppable unstoppable;
    const Exchange::Channel channel{group_->id, tag};
    key_ = isSent ? exchange().nextTo(world(peer), channel)
                  : exchange().nextFrom(world(peer), channel);
  }

  ~Exchanged() {
    if (memory_ != nullptr)
      self_->arena().release(memory_);
  }
  Exchanged(const Exchanged &) = delete;
  Exchanged &operator=(const Exchanged &) = delete;

  explicit operator bool() const { return group_ != nullptr; }
  bool has(int rank) const { return group_ != nullptr && rank >= 0 && rank < size(); }
  int me() const { return group_->me; }
  int size() const { return static_cast<int>(group_->ranks.size()); }

  /// To one that receives too slowly only until the main thread has come this far.
  void send(int to, const void *data, std::size_t bytes) {
    bool isSent = trySend(to, data, bytes);
    for (Pause pause; !isSent && !isPassed(); isSent = trySend(to, data, bytes))
      pause.make(*self_);
    if (!isSent) {
      const Runtime::Unstoppable unstoppable;
      exchange().giveUp(world(to));
    }
  }

  /// Null: the main thread had the value first.
  const std::vector<std::byte> *await(int from) {
    const std::vector<std::byte> *come = find(from);
    for (Pause pause; come == nullptr && !isPassed(); come = find(from))
      pause.make(*self_);
    return come;
  }

  /// What all have sent to the process \p at, one behind the other; null elsewhere, and if the main
  /// thread was faster.
  std::byte *collect(int at, const void *mine, std::size_t bytes) {
    if (me() != at) {
      send(at, mine, bytes);
      return nullptr;
    }
    memory_ = self_->arena().allocate(bytes * group_->ranks.size());
    auto *const all = static_cast<std::byte *>(memory_);
    if (all == nullptr)
      self_->end("there is no memory for its messages");
    for (int from = 0; from < size(); ++from) {
      const auto *piece = from == at ? nullptr : await(from);
      if (from != at && (piece == nullptr || piece->size() != bytes))
        return nullptr;
      if (bytes != 0)
        std::memcpy(all + bytes * static_cast<std::size_t>(from),
                    piece != nullptr ? piece->data() : mine, bytes);
    }
    return all;
  }

  /// Receives all of \p bytes.
  bool receive(int from, void *data, std::size_t bytes) {
    const auto *come = await(from);
    if (come == nullptr || come->size() != bytes)
      return false;
    if (bytes != 0)
      std::memcpy(data, come->data(), bytes);
    return true;
  }

  /// The same as the whole of the call.
  int take(int from, void *data, std::size_t bytes) {
    return receive(from, data, bytes) ? done() : 0;
  }

  /// The main thread need not hand over what it will have of this call.
  int done() {
    if (self_ != nullptr)
      self_->forwarding().passOver(site_, values_);
    return 1;
  }

private:
  Exchanged(int site, int values) : self_(PreThread::self()), site_(site), values_(values) {}

  bool trySend(int to, const void *data, std::size_t bytes) {
    const Runtime::Unstoppable unstoppable;
    return exchange().send(world(to), key_, data, bytes);
  }

  const std::vector<std::byte> *find(int from) {
    const Runtime::Unstoppable unstoppable;
    return exchange().find(world(from), key_);
  }

  /// By the main thread.
  bool isPassed() { return self_->forwarding().hasArrived(site_); }

  static Exchange &exchange() { return Runtime::get().exchange(); }
  int world(int rank) const { return group_->ranks[static_cast<std::size_t>(rank)]; }

  bool isKnown(MPI_Comm comm) {
    if (self_ != nullptr && exchange().isOpen())
      group_ = Runtime::get().groups().find(comm);
    if (group_ != nullptr)
      self_->isAlive();
    return group_ != nullptr;
  }

  PreThread *self_;
  const Group *group_ = nullptr;
  Exchange::Key key_;
  int site_, values_;
  void *memory_ = nullptr; ///< of `collect`
};

/// Of \p count elements without gaps; false: the datatype is none of MPI's own, or it is too much.
bool measure(int count, MPI_Datatype type, std::size_t &bytes) {
  const std::size_t each = forerun::namedTypeBytes(type);
  bytes = each * static_cast<std::size_t>(std::max(count, 0));
  return each != 0 && count >= 0 && bytes <= Exchange::kMostBytes;
}

bool isOfMpi(MPI_Op op) {
  constexpr std::array kOps = {MPI_MAX,  MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND,
                               MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
  return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

/// The same of what is to be reduced, by an operation of MPI's own.
bool measure(const void *from, int count, MPI_Datatype type, MPI_Op op, std::size_t &bytes) {
  return from != MPI_IN_PLACE && isOfMpi(op) && measure(count, type, bytes);
}

/// The reduction of the pieces [0, until) of \p all, in the place of the last of them.
std::byte *reduce(std::byte *all, int until, std::size_t bytes, int count, MPI_Datatype type,
                  MPI_Op op) {
  const Runtime::Unstoppable unstoppable;
  std::byte *result = all + bytes * static_cast<std::size_t>(until - 1);
  for (std::byte *piece = result; piece != all;) {
    piece -= bytes;
    PMPI_Reduce_local(piece, result, count, type, op);
  }
  return result;
}

/// The first process gives each one what those before it have sent, and its own if it is not
/// exclusive.
int scan(Exchanged &call, const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
         bool isExclusive) {
  std::size_t bytes = 0;
  if (!call || !measure(from, count, type, op, bytes))
    return 0;
  std::byte *all = call.collect(0, from, bytes);
  if (call.me() != 0)
    return call.take(0, to, bytes);
  if (all == nullptr)
    return 0;
  if (!isExclusive)
    std::memcpy(to, all, bytes);
  // From behind: what is reduced is changed.
  for (int each = call.size() - 1; each > 0; --each)
    call.send(each, reduce(all, isExclusive ? each : each + 1, bytes, count, type, op), bytes);
  return call.done();
}

/// What is not sent is not missed.
void send(Exchanged &call, const void *buffer, int count, MPI_Datatype type, int to) {
  std::size_t bytes = 0;
  if (call && measure(count, type, bytes))
    call.send(to, buffer, bytes);
}

bool receive(Exchanged &call, void *buffer, int count, MPI_Datatype type, int from, int tag,
             MPI_Status *status) {
  std::size_t most = 0;
  if (!call || !measure(count, type, most))
    return false;
  const auto *come = call.await(from);
  if (come == nullptr || come->size() > most)
    return false;
  if (!come->empty())
    std::memcpy(buffer, come->data(), come->size());
  if (status == MPI_STATUS_IGNORE)
    return true;
  status->MPI_SOURCE = from;
  status->MPI_TAG = tag;
  status->MPI_ERROR = MPI_SUCCESS;
  const Runtime::Unstoppable unstoppable;
  PMPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(come->size()));
  return true;
}

} // namespace

extern "C" {

int forerun_pre_MPI_Bcast(int site, int values, void *buffer, int count, MPI_Datatype type,
                          int root, MPI_Comm comm) {
  std::size_t bytes = 0;
  Exchanged call(site, values, comm);
  if (!call.has(root) || !measure(count, type, bytes))
    return 0;
  if (call.me() != root)
    return call.take(root, buffer, bytes);
  for (int to = 0; to < call.size(); ++to)
    if (to != root)
      call.send(to, buffer, bytes);
  return call.done();
}

int forerun_pre_MPI_Scatter(int site, int values, const void *from, int fromCount,
                            MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                            int root, MPI_Comm comm) {
  std::size_t bytes = 0, fromBytes = 0;
  Exchanged call(site, values, comm);
  if (!call.has(root))
    return 0;
  if (call.me() != root)
    return measure(toCount, toType, bytes) ? call.take(root, to, bytes) : 0;
  if (!measure(fromCount, fromType, fromBytes))
    return 0;
  const auto *pieces = static_cast<const std::byte *>(from);
  for (int each = 0; each < call.size(); ++each, pieces += fromBytes)
    if (each != root)
      call.send(each, pieces, fromBytes);
    else if (to != MPI_IN_PLACE && fromBytes != 0)
      std::memcpy(to, pieces, fromBytes);
  return call.done();
}

int forerun_pre_MPI_Gather(int site, int values, const void *from, int fromCount,
                           MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                           int root, MPI_Comm comm) {
  std::size_t bytes = 0, toBytes = 0;
  Exchanged call(site, values, comm);
  if (!call.has(root) || from == MPI_IN_PLACE || !measure(fromCount, fromType, bytes))
    return 0;
  const std::byte *all = call.collect(root, from, bytes);
  if (call.me() != root)
    return call.done();
  if (all == nullptr || !measure(toCount, toType, toBytes) || toBytes != bytes)
    return 0;
  std::memcpy(to, all, bytes * static_cast<std::size_t>(call.size()));
  return call.done();
}

int forerun_pre_MPI_Allgather(int site, int values, const void *from, int fromCount,
                              MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                              MPI_Comm comm) {
  std::size_t bytes = 0, toBytes = 0;
  Exchanged call(site, values, comm);
  if (!call || from == MPI_IN_PLACE || !measure(fromCount, fromType, bytes) ||
      !measure(toCount, toType, toBytes) || toBytes != bytes)
    return 0;
  const std::size_t allBytes = bytes * static_cast<std::size_t>(call.size());
  const std::byte *all = call.collect(0, from, bytes);
  if (call.me() != 0)
    return call.take(0, to, allBytes);
  if (all == nullptr)
    return 0;
  for (int each = 1; each < call.size(); ++each)
    call.send(each, all, allBytes);
  std::memcpy(to, all, allBytes);
  return call.done();
}

int forerun_pre_MPI_Reduce(int site, int values, const void *from, void *to, int count,
                           MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  std::size_t bytes = 0;
  Exchanged call(site, values, comm);
  if (!call.has(root) || !measure(from, count, type, op, bytes))
    return 0;
  std::byte *all = call.collect(root, from, bytes);
  if (call.me() != root)
    return call.done();
  if (all == nullptr)
    return 0;
  std::memcpy(to, reduce(all, call.size(), bytes, count, type, op), bytes);
  return call.done();
}

int forerun_pre_MPI_Allreduce(int site, int values, const void *from, void *to, int count,
                              MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  std::size_t bytes = 0;
  Exchanged call(site, values, comm);
  if (!call || !measure(from, count, type, op, bytes))
    return 0;
  std::byte *all = call.collect(0, from, bytes);
  if (call.me() != 0)
    return call.take(0, to, bytes);
  if (all == nullptr)
    return 0;
  const std::byte *result = reduce(all, call.size(), bytes, count, type, op);
  for (int each = 1; each < call.size(); ++each)
    call.send(each, result, bytes);
  std::memcpy(to, result, bytes);
  return call.done();
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

int forerun_pre_MPI_Sendrecv(int site, int values, const void *out, int outCount,
                             MPI_Datatype outType, int to, int outTag, void *in, int inCount,
                             MPI_Datatype inType, int from, int inTag, MPI_Comm comm,
                             MPI_Status *status) {
  Exchanged outward(site, values, comm, to, outTag, true);
  Exchanged inward(site, values, comm, from, inTag, false);
  send(outward, out, outCount, outType, to);
  return receive(inward, in, inCount, inType, from, inTag, status) ? inward.done() : 0;
}
}
