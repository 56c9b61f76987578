// SPDX-License-Identifier: Apache-2.0
#include "base/Mapping.h"

#include <sys/mman.h>

namespace forerun {

Mapping::Mapping(std::size_t bytes, int fd) : bytes_(bytes) {
  const int kind = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, fd, 0);
  if (memory == MAP_FAILED)
    return;
  base_ = static_cast<std::byte *>(memory);
  // A child of fork() does not need it, and the kernel's reads into it must not land in a copy.
  (void)madvise(memory, bytes, MADV_DONTFORK);
}

void Mapping::gatherPages() {
  // Advice; a kernel that ignores it costs only speed.
  (void)madvise(base_, bytes_, MADV_HUGEPAGE);
}

Mapping::~Mapping() {
  if (base_ != nullptr)
    munmap(base_, bytes_);
}

} // namespace forerun
