// SPDX-License-Identifier: Apache-2.0
#include "channels/Deferred.h"

#include <algorithm>
#include <set>

namespace forerun {

namespace {

thread_local std::vector<MPI_Request> before;

} // namespace

void Deferred::start(int site, MPI_Request request, const Forwarding::Value &value) {
  const MutexLock lock(mutex_);
  entries_.push_back({site, request, value, false, {}});
}

void Deferred::completing(int count, const MPI_Request *requests) {
  before.assign(requests, requests + std::max(count, 0));
}

void Deferred::completed(const MPI_Request *requests, const Send &send) {
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != MPI_REQUEST_NULL && requests[i] == MPI_REQUEST_NULL)
      arrive(before[i]);
  before.clear();
  sendInOrder(send);
}

/// Several share one request only if MPI knew at once that they were complete.
void Deferred::arrive(MPI_Request request) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry &each) {
    return !each.isThere && each.request == request;
  });
  if (entry == entries_.end())
    return;
  entry->isThere = true;
  entry->bytes.assign(entry->value.data, entry->value.data + entry->value.bytes);
}

void Deferred::sendInOrder(const Send &send) {
  std::set<int> held; // sites that wait for an earlier call
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    if (!entry->isThere)
      held.insert(entry->site);
    if (held.count(entry->site) != 0) {
      ++entry;
      continue;
    }
    send(entry->site, {entry->bytes.data(), entry->bytes.size(), entry->value.shift});
    entry = entries_.erase(entry);
  }
}

} // namespace forerun
