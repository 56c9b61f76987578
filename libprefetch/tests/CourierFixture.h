// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "FakeCache.h"
#include "courier/Courier.h"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

/// \file
/// A courier between real streams, handles and progress, and a cache that only records calls. Tests
/// run its turns by hand, or start its thread.

namespace forerun {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
/// Call sites of the imagined program.
constexpr int kRead = 0, kWrite = 1, kSync = 2, kOtherRead = 3;

class CourierTest : public testing::Test {
public:
  static constexpr int kSites = 8;
  static constexpr std::size_t kStreamRecords = 4096;

  /// An open file as the door makes it.
  struct File {
    forerun_handle *handle;
    CachedFile *cached;
    std::uint32_t slot() const { return handle->slot; }
    std::uint32_t generation() const { return handle->generation.load(); }
  };

  CourierTest() {
    cache.onFetch([this](const FetchEvent &event) { courier.noteFetched(event); });
    skipProbing();
  }

  File open(CachedFile *shared = nullptr) {
    forerun_rc rc = FORERUN_OK;
    const std::size_t number = ++opened_;
    CachedFile *cached =
        shared != nullptr ? shared : cache.open({"file" + std::to_string(number), 3, "ufs"}, rc);
    ++cached->handles;
    forerun_handle *handle = handles.insert(reinterpret_cast<MPI_File>(&names_.at(number)));
    handle->file = cached;
    handle->open = courier.files().add(
        {.inode = reinterpret_cast<std::uintptr_t>(cached), .fileSystem = "fake"}, cached, nullptr);
    return {handle, cached};
  }
  void close(const File &file) {
    handles.remove(file.handle);
    courier.files().waitUntilUnused(*file.handle);
    OpenFile *open = file.handle->open;
    if (--file.cached->handles == 0)
      cache.close(file.cached);
    courier.files().drop(open);
  }

  static Record record(RecordKind kind, const File &file, CallId call, std::uint64_t offset,
                       std::uint64_t length) {
    return {kind, true, file.slot(), file.generation(), call, offset, length};
  }
  void prefetch(const File &file, CallId call, std::uint64_t offset, std::uint64_t length) {
    pre.push(record(RecordKind::Prefetch, file, call, offset, length));
  }
  void write(const File &file, CallId call, std::uint64_t offset, std::uint64_t length) {
    pre.push(record(RecordKind::Write, file, call, offset, length));
  }
  void sync(const File &file, CallId call) { pre.push(record(RecordKind::Sync, file, call, 0, 0)); }
  void prefetchByHand(const File &file, std::uint64_t offset, std::uint64_t length) {
    hand.push(record(RecordKind::Prefetch, file, CallId{}, offset, length));
  }

  void turn() {
    while (courier.turn()) {
    }
  }
  /// The very first announcement is a probe, and so are some others soon after; here the storage
  /// shows latency, so that announcements then go out freely.
  void skipProbing() {
    CachedFile any;
    const auto probe = [&] {
      courier.throttle().probe(any, 0, 1);
      cache.finish(any, 0, 1, 5'000'000);
    };
    probe();
    for (unsigned calls = Throttle::kFirstCallsBetweenProbings;
         calls < Throttle::kMaxCallsBetweenProbings; calls *= 4) {
      for (unsigned n = 0; n < calls; ++n)
        courier.throttle().noteCall();
      probe();
    }
  }

  FakeCache cache;
  EventCount wake;
  Stream pre{kStreamRecords, wake};
  Stream hand{kStreamRecords, wake};
  HandleTable handles;
  Progress progress{kSites};
  PrefetchDistance distance;
  std::vector<std::string> said, gaveUp;
  Courier courier{{.wake = wake,
                   .pre = pre,
                   .hand = hand,
                   .handles = handles,
                   .cache = [this] { return &cache; },
                   .progress = [this] { return &progress; },
                   .distance = distance,
                   .say = [this](const char *what) { said.emplace_back(what); },
                   .giveUp = [this](const char *why) { gaveUp.emplace_back(why); }}};

private:
  std::array<char, 512> names_{}; // an MPI_File is an address
  std::size_t opened_ = 0;
};

} // namespace forerun
