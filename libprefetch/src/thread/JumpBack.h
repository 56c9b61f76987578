// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>

/// \file
/// The way out of a fault, or of a call that must end where it is: to the base of the thread's
/// stack, without running any destructor or handler of the frames in between.

namespace forerun {

/// Only on the thread that has set \p base by sigsetjmp; also from a signal handler.
[[noreturn]] void jumpBack(sigjmp_buf &base);

} // namespace forerun
