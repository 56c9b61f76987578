// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thread/PreThread.h"

#include <cstddef>
#include <type_traits>

/// \file
/// Stand-ins ask the fence here before they write where a clone tells them to.

namespace forerun {

/// \p to, if the pre-execution thread may write \p count elements (of void: bytes) there; otherwise
/// that thread ends. Null is nowhere, and other threads have no fence.
template <class T> T *own(T *to, std::size_t count = 1) {
  PreThread *self = PreThread::self();
  if (self != nullptr && to != nullptr) {
    if constexpr (std::is_void_v<T>)
      self->own(to, count);
    else
      self->own(static_cast<void *>(to), count * sizeof(T));
  }
  return to;
}

} // namespace forerun
