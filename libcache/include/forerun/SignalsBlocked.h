// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace forerun {

/// While it exists, the calling thread takes no signal, and threads that it starts begin with all
/// signals blocked: the program's signals belong to the program's threads.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t before_;
};

} // namespace forerun
