// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SIGNALS_H
#define FORERUN_SIGNALS_H

#include <csignal>
#include <cstddef>

/// \file
/// Fault signals shared between the program and the threads of ours that may fault: the
/// pre-execution thread, and the one that is inside twins of libraries.
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

/// Claims are asked one after the other, kClaims at most; to take over with one a second time does
/// nothing. False: the system refused, or there are too many. Any thread of the program or the library.
bool takeOver(Claim claim);
inline constexpr std::size_t kClaims = 2;
/// With the last claim the program's actions are put back.
void giveBack(Claim claim);

/// The real-time signal that ends a thread of ours; 0 if not taken over.
int endSignal();
/// Whether a thread of this process has sent it to one thread: as who ends a thread of ours does.
bool isSentToThread(const siginfo_t &info);
/// One of the program's, that has come to a thread of ours by chance. What `kill` has sent looks as if
/// sigqueue had (SI_QUEUE, by the same process): the system lets no thread but the first pretend more.
void giveToMainThread(siginfo_t info);
/// Our faults and the end signal.
sigset_t all();
const char *nameOf(int signal);

} // namespace forerun::signals

#endif
