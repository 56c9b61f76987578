// SPDX-License-Identifier: Apache-2.0
#include "channels/Exchange.h"

#include <cstring>
#include <utility>

namespace forerun {
namespace {

constexpr int kTag = 0;

} // namespace

void Exchange::open() {
  if (isOpen() || PMPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm_) != MPI_SUCCESS)
    return;
  int size = 0;
  PMPI_Comm_size(comm_, &size);
  sentTo_.resize(static_cast<std::size_t>(size));
}

void Exchange::finish() {
  if (!isOpen())
    return;
  int toMe = 0;
  PMPI_Reduce_scatter_block(sentTo_.data(), &toMe, 1, MPI_INT, MPI_SUM, comm_);
  while (received_ < toMe) {
    messages_.clear();
    receiveOne(MPI_ANY_SOURCE);
  }
  for (auto &[to, pending] : pending_)
    for (Pending &each : pending)
      PMPI_Wait(&each.request, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&comm_);
}

bool Exchange::send(int to, const Key &key, const void *data, std::size_t bytes) {
  std::deque<Pending> &pending = pending_[to];
  forgetSent(pending);
  if (pending.size() >= kMaxPending)
    return deaf_.count(to) > 0;
  if (bytes > kMaxBytes)
    return true;
  const Header header{key};
  Pending message{std::vector<std::byte>(sizeof header + bytes)};
  std::memcpy(message.bytes.data(), &header, sizeof header);
  if (bytes != 0)
    std::memcpy(message.bytes.data() + sizeof header, data, bytes);
  Pending &kept = pending.emplace_back(std::move(message));
  // Synchronous: complete only when received, so that those in flight can be counted.
  PMPI_Issend(kept.bytes.data(), static_cast<int>(kept.bytes.size()), MPI_BYTE, to, kTag, comm_,
              &kept.request);
  ++sentTo_[static_cast<std::size_t>(to)];
  deaf_.erase(to);
  return true;
}

void Exchange::forgetSent(std::deque<Pending> &pending) {
  for (int isSent = 1; !pending.empty() && isSent != 0;) {
    PMPI_Test(&pending.front().request, &isSent, MPI_STATUS_IGNORE);
    if (isSent != 0)
      pending.pop_front();
  }
}

const std::vector<std::byte> *Exchange::find(int from, const Key &key) {
  takeIn();
  const auto found = messages_.find({from, key.channel});
  if (found == messages_.end())
    return nullptr;
  std::deque<Message> &come = found->second;
  while (!come.empty() && come.front().sequence < key.sequence) {
    kept_ -= come.front().data.size();
    come.pop_front();
  }
  return !come.empty() && come.front().sequence == key.sequence ? &come.front().data : nullptr;
}

void Exchange::takeIn() {
  for (int isThere = 1; isThere != 0 && kept_ < kMaxKept;) {
    MPI_Status status;
    PMPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &isThere, &status);
    if (isThere != 0)
      receiveOne(status.MPI_SOURCE);
  }
}

/// Waits for a message that has arrived or is in flight.
void Exchange::receiveOne(int from) {
  MPI_Status status;
  PMPI_Probe(from, kTag, comm_, &status);
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  PMPI_Recv(data.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kTag, comm_, MPI_STATUS_IGNORE);
  ++received_;
  Header header;
  std::memcpy(&header, data.data(), sizeof header);
  data.erase(data.begin(), data.begin() + sizeof header);
  kept_ += data.size();
  messages_[{status.MPI_SOURCE, header.key.channel}].push_back(
      {header.key.sequence, std::move(data)});
}

} // namespace forerun
