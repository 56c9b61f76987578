// SPDX-License-Identifier: Apache-2.0
#include "base/SafeRead.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace forerun {
namespace {

/// Two pages, of which the second cannot be read.
class SafeReadTest : public testing::Test {
protected:
  SafeReadTest() : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    pages_ = static_cast<char *>(
        mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memset(pages_, 'x', size_);
    mprotect(pages_ + size_, size_, PROT_NONE);
  }
  ~SafeReadTest() override { munmap(pages_, 2 * size_); }
  SafeReadTest(const SafeReadTest &) = delete;
  SafeReadTest &operator=(const SafeReadTest &) = delete;

  char *end() const { return pages_ + size_; }

private:
  std::size_t size_;
  char *pages_;
};

TEST_F(SafeReadTest, WhatIsThereIsRead) {
  char bytes[8] = "";
  EXPECT_EQ(readIfThere(end() - 8, bytes, 8), 8U);
  EXPECT_EQ(std::string(bytes, 8), "xxxxxxxx");
}

TEST_F(SafeReadTest, WhatIsNotThereIsNotRead) {
  errno = 5;
  char bytes[8] = "";
  EXPECT_LT(readIfThere(end() - 4, bytes, 8), 8U);
  EXPECT_EQ(readIfThere(end(), bytes, 8), 0U);
  EXPECT_EQ(readIfThere(nullptr, bytes, 8), 0U);
  EXPECT_EQ(readIfThere(MAP_FAILED, bytes, 8), 0U);
  EXPECT_EQ(errno, 5);
}

TEST_F(SafeReadTest, ATextEndsAtItsEndOrWhereNothingCanBeRead) {
  EXPECT_EQ(textIfThere(end() - 8), "xxxxxxxx");
  std::strcpy(end() - 5, "four");
  EXPECT_EQ(textIfThere(end() - 5), "four");
  EXPECT_EQ(textIfThere(end()), "");
  EXPECT_EQ(textIfThere(nullptr), "");
  const std::string aLongOne(10000, 'y');
  EXPECT_EQ(textIfThere(aLongOne.c_str()), aLongOne);
}

} // namespace
} // namespace forerun
