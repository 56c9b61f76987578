// SPDX-License-Identifier: Apache-2.0
#include "ParseText.h"
#include <gtest/gtest.h>
#include <llvm/ADT/SmallVector.h>
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

Units parsed(const Files &files) {
  auto units = parseText(files);
  EXPECT_TRUE(units.has_value()) << "a program of the test does not compile";
  return units ? std::move(*units) : Units();
}

std::map<unsigned, std::string> marksIn(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  std::map<unsigned, std::string> marks;
  for (unsigned number = 1; const llvm::StringRef line : lines) {
    if (const auto at = line.rfind("// "); at != llvm::StringRef::npos)
      marks[number] = line.drop_front(at + 3).str();
    number++;
  }
  return marks;
}

} // namespace forerun::slicer::testing
