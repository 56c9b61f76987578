// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstddef>

/// \file
/// Copies to memory of the program, which may not be writable: a system call that reads a file there
/// fails with EFAULT, and so has a read from the cache to fail, so that it can be left to the file
/// system.
///
/// A copy notes where it can be left, and the handler of the fault leaves it there. That costs 5 ns,
/// where a read of 4 KiB from the cache takes 300. Whatever asks the system beforehand
/// (or has it copy: process_vm_writev, pread from the frames' own file) costs a system call, 100 to
/// 500 ns for each read, for what hardly ever happens.
///
/// Invariants
///  - Only a fault of the thread that copies, at an address that the copy writes to or reads from,
///    ends the copy; all others are left to whoever handles them. A handler that interrupts a copy
///    may copy itself.
///  - A thread that blocks SIGSEGV cannot be helped: the system ends a process that faults then.
/// Threads: any. `endFaultedCopy`: in the handler of SIGSEGV and SIGBUS. Without such a handler the
/// copy is memcpy.

namespace forerun {

/// False: the memory could not be written to, or no more of it; some may have been.
bool copyGuarded(void *to, const void *from, std::size_t bytes);

/// Whether a copy has faulted: when the handler returns, the copy returns false.
bool endFaultedCopy(int signal, const siginfo_t &info, void *context);

} // namespace forerun
