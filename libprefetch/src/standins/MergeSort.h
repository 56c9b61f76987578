// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// \file
/// The order of qsort in glibc, which is stable. Uses only the memory that it is given.

namespace forerun {

/// As qsort_r gives it: the last argument is passed on.
using Compare = int (*)(const void *one, const void *other, void *argument);

/// \p scratch: \p count * \p size bytes.
void mergeSort(std::byte *base, std::size_t count, std::size_t size, Compare compare,
               void *argument, std::byte *scratch);

} // namespace forerun
