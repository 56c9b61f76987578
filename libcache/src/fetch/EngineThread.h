// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/SignalsBlocked.h"

#include <exception>
#include <pthread.h>
#include <thread>
#include <utility>

namespace forerun {

/// Starts a thread of the engine: named, and with all signals blocked, so that the application's
/// handlers never run on it. Returns a thread that is not joinable if none could be started.
template <typename Body> std::thread startEngineThread(Body body) {
  const SignalsBlocked blocked;
  try {
    return std::thread([body = std::move(body)]() mutable {
      // By the thread itself: naming another thread opens a file.
      pthread_setname_np(pthread_self(), "forerun-fetch");
      body();
    });
  } catch (const std::exception &) { // no thread, or no memory for it
    return {};
  }
}

} // namespace forerun
