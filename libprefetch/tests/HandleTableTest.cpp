// SPDX-License-Identifier: Apache-2.0
#include "files/HandleTable.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace forerun {
namespace {

MPI_File fileNumber(std::size_t number) {
  static std::array<char, HandleTable::kSlots + 2> files;
  return reinterpret_cast<MPI_File>(&files[number]);
}

class HandleTableTest : public testing::Test {
protected:
  std::unique_ptr<HandleTable> made_ = std::make_unique<HandleTable>();
  HandleTable &table_ = *made_;
};

TEST_F(HandleTableTest, AnInsertedFileIsFoundUntilItIsRemoved) {
  forerun_handle *handle = table_.insert(fileNumber(1));
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(table_.find(fileNumber(1)), handle);
  EXPECT_EQ(handle->fh.load(), fileNumber(1));
  EXPECT_EQ(table_.find(fileNumber(2)), nullptr);
  table_.remove(handle);
  EXPECT_EQ(table_.find(fileNumber(1)), nullptr);
}

TEST_F(HandleTableTest, NoFileIsNeverFound) {
  EXPECT_EQ(table_.find(MPI_FILE_NULL), nullptr);
  table_.remove(table_.insert(fileNumber(1)));
  EXPECT_EQ(table_.find(MPI_FILE_NULL), nullptr);
}

TEST_F(HandleTableTest, ASlotIsUsedAgainWithAnotherGeneration) {
  forerun_handle *first = table_.insert(fileNumber(1));
  const std::uint32_t generation = first->generation;
  EXPECT_EQ(generation % 2, 1U);
  EXPECT_EQ(table_.at(first->slot, generation), first);
  table_.remove(first);
  EXPECT_EQ(first->generation % 2, 0U);
  EXPECT_EQ(table_.at(first->slot, generation), nullptr);
  forerun_handle *second = table_.insert(fileNumber(1));
  EXPECT_EQ(second, first);
  EXPECT_EQ(table_.at(first->slot, generation), nullptr);
  EXPECT_EQ(table_.at(first->slot, generation + 2), second);
}

TEST_F(HandleTableTest, ASlotThatALibraryThreadStillUsesIsNotUsedAgain) {
  forerun_handle *first = table_.insert(fileNumber(1));
  first->users = 1;
  table_.remove(first);
  EXPECT_NE(table_.insert(fileNumber(2)), first);
  first->users = 0;
  EXPECT_EQ(table_.insert(fileNumber(3)), first);
}

TEST_F(HandleTableTest, RemovingTwiceIsRemovingOnce) {
  forerun_handle *handle = table_.insert(fileNumber(1));
  table_.remove(handle);
  const std::uint32_t generation = handle->generation;
  table_.remove(handle);
  EXPECT_EQ(handle->generation, generation);
}

TEST_F(HandleTableTest, OneFileMoreThanThereAreSlotsIsRefused) {
  for (std::size_t i = 1; i <= HandleTable::kSlots; ++i)
    ASSERT_NE(table_.insert(fileNumber(i)), nullptr);
  EXPECT_EQ(table_.insert(fileNumber(HandleTable::kSlots + 1)), nullptr);
  table_.remove(table_.find(fileNumber(17)));
  EXPECT_NE(table_.insert(fileNumber(HandleTable::kSlots + 1)), nullptr);
}

TEST_F(HandleTableTest, ASlotThatWasNeverUsedHasNoHandle) {
  EXPECT_EQ(table_.at(0, 1), nullptr);
  EXPECT_EQ(table_.at(HandleTable::kSlots, 1), nullptr);
}

TEST_F(HandleTableTest, AnOpenIsFoundByItsFile) {
  const WhichFile which{.device = 5, .inode = 7};
  const auto any = [](const OpenedFile &) { return true; };
  forerun_handle *handle = table_.insert(fileNumber(1));
  handle->device = which.device;
  EXPECT_EQ(table_.openOf(which, any).file, MPI_FILE_NULL); // it is being opened
  handle->inode = which.inode;
  const OpenedFile found = table_.openOf(which, any);
  EXPECT_EQ(found.file, fileNumber(1));
  EXPECT_EQ(table_.at(found.slot, found.generation), handle);
  EXPECT_EQ(table_.openOf(which, [](const OpenedFile &) { return false; }).file, MPI_FILE_NULL);
  EXPECT_EQ(table_.openOf({.device = 6, .inode = 7}, any).file, MPI_FILE_NULL);
  table_.remove(handle);
  EXPECT_EQ(table_.openOf(which, any).file, MPI_FILE_NULL);
  EXPECT_EQ(table_.insert(fileNumber(2)), handle);
  EXPECT_EQ(table_.openOf(which, any).file, MPI_FILE_NULL);
}

TEST_F(HandleTableTest, WhoLooksWhileFilesComeAndGoSeesWholeHandlesOnly) {
  std::atomic<bool> over{false};
  forerun_handle *lasting = table_.insert(fileNumber(100));
  std::vector<std::thread> threads;
  for (std::size_t opener = 1; opener <= 2; ++opener)
    threads.emplace_back([this, opener] {
      for (std::size_t i = 0; i < 3000; ++i) {
        forerun_handle *handle = table_.insert(fileNumber(opener * 10 + i % 3));
        handle->startByte = i;
        table_.remove(handle);
      }
    });
  for (int looker = 0; looker < 2; ++looker)
    threads.emplace_back([this, lasting, &over] {
      const std::uint32_t lastingGeneration = lasting->generation;
      while (!over) {
        EXPECT_EQ(table_.find(fileNumber(100)), lasting);
        EXPECT_EQ(table_.at(lasting->slot, lastingGeneration), lasting);
        EXPECT_NE(table_.find(fileNumber(11)), lasting);
      }
    });
  threads[0].join();
  threads[1].join();
  over = true;
  threads[2].join();
  threads[3].join();
}

} // namespace
} // namespace forerun
