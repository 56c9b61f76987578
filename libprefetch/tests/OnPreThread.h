// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thread/PreThread.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>

/// \file
/// Runs a test's body on a pre-execution thread of its own.

namespace forerun {

/// The environment of a pre-execution thread; nobody reads its records.
struct Between {
  explicit Between(int sites, std::size_t streamRecords = 8)
      : progress(sites), stream(streamRecords, wake) {}
  operator PreThread::Surroundings() {
    return {.progress = progress,
            .stream = stream,
            .forwarding = forwarding,
            .types = types,
            .exchange = exchange,
            .groups = groups,
            .distance = distance};
  }

  Progress progress;
  EventCount wake;
  Stream stream;
  Forwarding forwarding;
  ForwardedTypes types;
  Exchange exchange;
  Groups groups;
  PrefetchDistance distance;
};

/// Runs \p body; returns why the thread ended.
inline std::string onPreThread(const std::function<void()> &body) {
  struct Body {
    const std::function<void()> *function;
  };
  Between between(1);
  const auto run = [](void *argument) { (*static_cast<const Body *>(argument)->function)(); };
  const Body data{&body};
  PreThread thread({run, &data, sizeof data}, Options(), between);
  EXPECT_TRUE(thread.start());
  while (!thread.ended())
    std::this_thread::yield();
  thread.stop();
  return thread.why();
}

inline const char *const kReturned = "its function has returned";

} // namespace forerun
