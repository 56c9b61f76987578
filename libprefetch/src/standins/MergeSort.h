// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_MERGESORT_H
#define FORERUN_MERGESORT_H

#include <cstddef>

/// \file
/// qsort's order as glibc makes it, which is stable. No memory but what is given.

namespace forerun {

/// \p scratch: \p count * \p size bytes.
void mergeSort(std::byte *base, std::size_t count, std::size_t size,
               int (*compare)(const void *, const void *), std::byte *scratch);

} // namespace forerun

#endif
