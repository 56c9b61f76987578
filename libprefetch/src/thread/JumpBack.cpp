// SPDX-License-Identifier: Apache-2.0
#include "thread/JumpBack.h"

#include <pthread.h>

extern "C" {
/// From glibc, which no longer declares it: forgets the handlers down to \p handler's predecessor.
// NOLINTNEXTLINE(readability-identifier-naming)
void _pthread_cleanup_pop(_pthread_cleanup_buffer *handler, int call) noexcept;
}

namespace forerun {

/// A jump of glibc runs the handlers that the abandoned functions have registered, as sscanf has.
/// Those functions may have been left anywhere, so what the handlers undo may not exist. So they
/// are forgotten. (Their memory is this thread's stack. Below the base there are none.)
void jumpBack(sigjmp_buf &base) {
  _pthread_cleanup_buffer none{};
  _pthread_cleanup_pop(&none, 0);
  siglongjmp(base, 1);
}

} // namespace forerun
