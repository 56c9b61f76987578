// SPDX-License-Identifier: Apache-2.0
#include "standins/MergeSort.h"

#include <cstring>

namespace forerun {

void mergeSort(std::byte *base, std::size_t count, std::size_t size, Compare compare,
               void *argument, std::byte *scratch) {
  if (count < 2)
    return;
  const std::size_t half = count / 2;
  const std::byte *left = base, *const middle = base + half * size;
  const std::byte *right = middle, *const end = base + count * size;
  mergeSort(base, half, size, compare, argument, scratch);
  mergeSort(base + half * size, count - half, size, compare, argument, scratch);
  std::byte *out = scratch;
  for (; left != middle && right != end; out += size) {
    const std::byte *&next = compare(left, right, argument) <= 0 ? left : right;
    std::memcpy(out, next, size);
    next += size;
  }
  // The rest of the right half is already in place.
  std::memmove(base + (out - scratch), left, static_cast<std::size_t>(middle - left));
  std::memcpy(base, scratch, static_cast<std::size_t>(out - scratch));
}

} // namespace forerun
