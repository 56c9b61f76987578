// SPDX-License-Identifier: Apache-2.0
#include "thread/JumpBack.h"

#include <pthread.h>

extern "C" {
/// Of glibc, which no longer declares it: forgets the handlers down to \p handler's predecessor.
// NOLINTNEXTLINE(readability-identifier-naming)
void _pthread_cleanup_pop(_pthread_cleanup_buffer *handler, int call) noexcept;
}

namespace forerun {

/// A jump of glibc calls what the functions that it leaves have registered, as sscanf has: they may
/// have been left anywhere, and what these handlers undo may not be there. So they are forgotten.
/// (Their memory is this thread's stack. Below the base there are none.)
void jumpBack(sigjmp_buf &base) {
  _pthread_cleanup_buffer none{};
  _pthread_cleanup_pop(&none, 0);
  siglongjmp(base, 1);
}

} // namespace forerun
