// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_TESTS_ONPRETHREAD_H
#define FORERUN_TESTS_ONPRETHREAD_H

#include "thread/PreThread.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>

/// \file
/// Runs a test's body on a pre-execution thread of its own.

namespace forerun {

/// Returns why the thread ended.
inline std::string onPreThread(const std::function<void()> &body) {
  struct Body {
    const std::function<void()> *function;
  };
  Progress progress(1);
  EventCount wake;
  Stream stream(8, wake);
  Forwarding forwarding;
  const auto run = [](void *argument) { (*static_cast<const Body *>(argument)->function)(); };
  const Body data{&body};
  PreThread thread({run, &data, sizeof data}, Options(), progress, stream, forwarding);
  EXPECT_TRUE(thread.start());
  while (!thread.ended())
    std::this_thread::yield();
  thread.stop();
  return thread.why();
}

inline const char *const kReturned = "its function has returned";

} // namespace forerun

#endif
