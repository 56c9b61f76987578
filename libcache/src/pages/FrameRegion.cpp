// SPDX-License-Identifier: Apache-2.0
#include "pages/FrameRegion.h"

#include <sys/mman.h>

namespace forerun {

FrameRegion::FrameRegion(std::size_t bytes) : bytes_(bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  base_ = static_cast<std::byte *>(memory);
  // In a child of fork() the kernel's reads into this memory must not land in a copy.
  (void)madvise(memory, bytes, MADV_DONTFORK);
}

void FrameRegion::gatherPages() {
  // Advice; a kernel that ignores it costs only speed.
  (void)madvise(base_, bytes_, MADV_HUGEPAGE);
}

FrameRegion::~FrameRegion() {
  if (base_ != nullptr)
    munmap(base_, bytes_);
}

} // namespace forerun
