// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_JUMPBACK_H
#define FORERUN_JUMPBACK_H

#include <csetjmp>

/// \file
/// The way out of a fault, or of a call that shall end where it is: to the base of the thread's
/// stack, calling nothing of what is jumped over.

namespace forerun {

/// Only on the thread that has set \p base, by sigsetjmp; from a signal handler, too.
[[noreturn]] void jumpBack(sigjmp_buf &base);

} // namespace forerun

#endif
