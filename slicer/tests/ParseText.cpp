// SPDX-License-Identifier: Apache-2.0
#include "ParseText.h"
#include <llvm/Support/MemoryBuffer.h>
#include <tuple>

namespace forerun::slicer::testing {

std::optional<Units> parseText(const Files &files) {
  using namespace llvm::vfs;
  llvm::IntrusiveRefCntPtr<InMemoryFileSystem> memory(new InMemoryFileSystem);
  llvm::IntrusiveRefCntPtr<OverlayFileSystem> all(
      new OverlayFileSystem(createPhysicalFileSystem()));
  all->pushOverlay(memory);
  std::ignore = memory->setCurrentWorkingDirectory("/");
  Commands commands;
  for (const auto &[name, text] : files) {
    memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    if (llvm::StringRef(name).ends_with(".c"))
      commands.push_back(commandFor(name,
                                    {"cc", "-std=gnu11", "-isystem", FORERUN_TEST_MPI_INCLUDE,
                                     "-isystem", FORERUN_TEST_INCLUDE, "-c", "-o", "x.o"},
                                    "/"));
  }
  return parse(commands, all);
}

} // namespace forerun::slicer::testing
