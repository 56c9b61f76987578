// SPDX-License-Identifier: Apache-2.0
#include "fetch/PosixFile.h"
#include "FetchEngineTestSupport.h"
#include "fetch/Transfer.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

using namespace forerun;

namespace {

/// Whether a read of 512 bytes that brings the first \p result is the last one.
bool isLast(std::size_t bytesOfFile, ssize_t result) {
  const TemporaryFile temporary{std::vector<char>(bytesOfFile)};
  const std::unique_ptr<PosixFile> file = PosixFile::open(temporary.source(), false);
  std::array<char, 512> buffer{};
  FetchRequest request;
  request.file = file.get();
  request.length = buffer.size();
  request.buffer = buffer.data();
  std::array<FetchRequest *, 1> requests{&request};
  Transfer transfer;
  transfer.begin(requests);
  transfer.descriptor = file->descriptorFor(transfer);
  return PosixFile::advance(transfer, result);
}

TEST(PosixFile, AShortReadUpToTheSizeOfTheFileNeedsNoOtherToSeeTheEnd) {
  EXPECT_TRUE(isLast(100, 100));
}

TEST(PosixFile, AShortReadBeforeThatIsFollowedByAnother) {
  EXPECT_FALSE(isLast(200, 100));
  EXPECT_FALSE(isLast(512, 511));
}

TEST(PosixFile, WhatSaysThereIsNothingIsTheEnd) { EXPECT_TRUE(isLast(200, 0)); }

} // namespace
