// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SIGNALS_H
#define FORERUN_SIGNALS_H

#include <csignal>

/// \file
/// Fault signals shared between the program and the pre-execution thread.
///
/// While taken over, our handler stands in front of the program's action for SIGSEGV, SIGBUS,
/// SIGFPE, SIGILL, SIGABRT and one real-time signal. What is not ours goes on to that action
/// exactly: a handler is called with the same arguments, mask and stack rules, the default action
/// comes about by the system itself (same exit status, same core dump).
///
/// The program may change its action at any time: `sigaction` and `signal` of this library stand in
/// front of libc's, and change what we pass on to, not what the system calls. The historical twins
/// (sigset, sigvec, bsd_signal) are not covered: a program that uses them takes the signals from
/// us.

namespace forerun::signals {

/// Looks at a signal on the thread that got it; true: it was ours (or does not return at all).
using Claim = bool (*)(int signal, const siginfo_t &info);

/// Main threads. Once taken over, a second call does nothing. False: the system refused.
bool takeOver(Claim claim);
/// Puts the program's actions back.
void giveBack();

/// The real-time signal that ends the pre-execution thread; 0 if not taken over.
int endSignal();
/// Our faults and the end signal.
sigset_t all();
const char *nameOf(int signal);

} // namespace forerun::signals

#endif
