// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstddef>

/// \file
/// Fault signals, shared between the program and what of ours may fault: the pre-execution thread, the
/// thread inside twins of libraries, and copies to the program's memory.
///
/// While taken over, our handler stands in front of the program's action for SIGSEGV, SIGBUS,
/// SIGFPE, SIGILL, SIGABRT and one real-time signal. A signal that is not ours is passed on to that
/// action exactly: a handler is called with the same arguments, mask and stack rules, the default
/// action is carried out by the system itself (same exit status, same core dump).
///
/// The program may change its action at any time: this library's `sigaction` and `signal` are
/// interposed before libc's, and change what we pass on to, not what the system calls. The
/// historical variants (sigset, sigvec, bsd_signal) are not covered: a program that uses them takes
/// the signals from us.

namespace forerun::signals {

/// Inspects a signal on the thread that got it; true: it was ours (or the call does not return).
using Claim = bool (*)(int signal, const siginfo_t &info, void *context);

/// Claims are asked in turn, at most kClaims; taking over again with the same claim does nothing.
/// False: the system refused, or there are too many. Any thread of the program or the library.
bool takeOver(Claim claim);
inline constexpr std::size_t kClaims = 3;
/// With the last claim, the program's actions are restored.
void giveBack(Claim claim);

/// The real-time signal that ends one of our threads; 0 if not taken over.
int endSignal();
/// Whether a thread of this process sent it to one thread, as is done to end one of our threads.
bool isSentToThread(const siginfo_t &info);
/// For a signal of the program's that one of our threads got. If `kill` sent it, it now looks like
/// one of sigqueue (SI_QUEUE, same process): only the first thread may pretend otherwise.
void giveToMainThread(siginfo_t info);
/// Whether the calling thread takes our faults and the end signal; otherwise they are blocked.
void take(bool does);
const char *nameOf(int signal);

} // namespace forerun::signals
