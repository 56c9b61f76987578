// SPDX-License-Identifier: Apache-2.0
#include "OnPreThread.h"
#include "forerun/runtime.h"
#include "forerun/standins.h"

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

// What the pre-execution thread of a sliced program may write to.

using namespace forerun;

namespace {

constexpr const char *kFenced = "it was about to write to memory that is not its own";

char lent[16];     // what the fence is lent when it is raised
char foreign[256]; // the program's

/// As onPreThread, behind a fence.
std::string fenced(void (*body)()) {
  Between between(1);
  PreThread::Launch launch{[](void *function) { (*static_cast<void (**)()>(function))(); },
                           static_cast<const void *>(&body), sizeof body};
  launch.lent.emplace().push_back(std::as_writable_bytes(std::span(lent)));
  PreThread thread(std::move(launch), Options(), between);
  EXPECT_TRUE(thread.start());
  while (!thread.ended())
    std::this_thread::yield();
  thread.stop();
  return thread.why();
}

TEST(FenceTest, StackArenaAndWhatWasLentMayBeWrittenTo) {
  EXPECT_EQ(fenced([] {
              int local = 0;
              static int later;
              forerun_pre_lend(&later, sizeof later);
              forerun_pre_lend(&later, sizeof later);
              FORERUN_PRE_OWN(local) = 1;
              FORERUN_PRE_OWN(later) = 2;
              FORERUN_PRE_OWN(lent)[15] = 3;
              FORERUN_PRE_OWN(errno) = 0;
              FORERUN_PRE_OWN(forerun_pre_optind) = 1;
              auto *block = static_cast<char *>(forerun_pre_malloc(100));
              forerun_pre_own(block, 100);
              forerun_pre_own(nullptr, 8);
              forerun_pre_own(foreign, 0);
              forerun_pre_strcpy(block, "text");
              forerun_pre_free(block);
            }),
            "its function has returned");
}

TEST(FenceTest, WhatWouldWriteElsewhereEndsTheThread) {
  using Body = void (*)();
  const std::vector<Body> bodies = {
      [] { FORERUN_PRE_OWN(foreign[3]) = 1; },
      [] { forerun_pre_own(lent + 8, 9); },
      [] { forerun_pre_own(lent - 1, 1); },
      [] { forerun_pre_own(lent + (UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(lent)), 2); },
      [] { forerun_pre_own(lent, SIZE_MAX); },
      [] {
        auto *block = static_cast<char *>(forerun_pre_malloc(16));
        forerun_pre_own(block, std::size_t{1} << 40);
      },
      [] {
        int local[2] = {};
        volatile int index = 2;
        FORERUN_PRE_INSIDE(local, local[index]) = 1;
      },
      [] {
        int local[2] = {};
        volatile int index = -1;
        FORERUN_PRE_INSIDE(local, local[index]) = 1;
      },
      [] { forerun_pre_strcpy(lent, "sixteen and more"); },
      [] { forerun_pre_strcat(foreign, "x"); },
      [] { forerun_pre_strncat(foreign, "x", 1); },
      [] { forerun_pre_stpcpy(foreign, ""); },
      [] { forerun_pre_sprintf(lent, "%016d", 1); },
      [] { forerun_pre_snprintf(foreign, 2, "%d", 1); },
      [] { forerun_pre_sscanf("7", "%s", foreign); },
      [] { forerun_pre_sscanf("7", "%hhd", foreign); },
      [] { forerun_pre_sscanf("7", "%5c", foreign); },
      [] { forerun_pre_strtok(foreign, " "); },
      [] {
        char *state = foreign;
        forerun_pre_strsep(&state, " ");
      },
      [] { forerun_pre_posix_memalign(reinterpret_cast<void **>(foreign), 8, 8); },
      [] { forerun_pre_erand48(reinterpret_cast<unsigned short *>(foreign)); },
      [] { forerun_pre_MPI_Type_size(MPI_INT, reinterpret_cast<int *>(foreign)); },
      [] { forerun_pre_qsort(foreign, 2, 1, [](const void *, const void *) { return 0; }); },
      [] {
        size_t count = 3;
        forerun_pre_lsearch("x", foreign, &count, 1, [](const void *, const void *) { return 1; });
      },
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    EXPECT_EQ(fenced(bodies[i]), kFenced) << i;
  EXPECT_EQ(std::string(foreign, sizeof foreign), std::string(sizeof foreign, '\0'));
}

/// One region or several: the extent of the heap is queried anew.
TEST(FenceTest, WhatTheHeapHasGrownByMayBeWrittenTo) {
  EXPECT_EQ(fenced([] {
              constexpr std::size_t kBytes = std::size_t{5} << 20;
              std::array<char *, 20> blocks{};
              for (char *&block : blocks) {
                block = static_cast<char *>(forerun_pre_malloc(kBytes));
                forerun_pre_own(block, kBytes);
                FORERUN_PRE_OWN(block[kBytes - 1]) = 'x';
                auto *const self = PreThread::self();
                const auto last = self->arena().lastRegion();
                std::ignore =
                    mmap(const_cast<std::byte *>(last.data() + last.size()), 4096, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
              }
              for (int round = 0; round < 2; ++round)
                for (char *block : blocks)
                  FORERUN_PRE_OWN(block[0]) = 'y';
            }),
            "its function has returned");
}

TEST(FenceTest, WhatLiesBehindTheHeapMayNot) {
  EXPECT_EQ(fenced([] {
              forerun_pre_free(forerun_pre_malloc(100));
              const auto last = PreThread::self()->arena().lastRegion();
              forerun_pre_own(last.data() + last.size() - 1, 2);
            }),
            kFenced);
}

/// A request too large for any process fails in the program, too.
TEST(FenceTest, NoMemoryEndsTheThreadButForWhatNobodyHas) {
  EXPECT_EQ(fenced([] {
              EXPECT_EQ(forerun_pre_malloc(SIZE_MAX / 2), nullptr);
              while (forerun_pre_malloc(std::size_t{8} << 30) != nullptr)
                ;
              ADD_FAILURE() << "the slice was told that there is no memory";
            }),
            "out of memory for what it allocates");
}

TEST(FenceTest, AFormatThatStoresItsCountEndsTheThread) {
  EXPECT_EQ(fenced([] {
              char text[16];
              int count = 0;
              forerun_pre_sprintf(text, "%%n %-*d%n", 3, 1, &count); // NOLINT
            }),
            "it reached a format with %n");
}

TEST(FenceTest, AThreadLaunchedByHandHasNone) {
  EXPECT_EQ(onPreThread([] { FORERUN_PRE_OWN(foreign[3]) = 0; }), kReturned);
}

/// An overrun in the heap may change the arena's data there.
TEST(FenceTest, ABrokenHeapLeadsNowhereElse) {
  EXPECT_EQ(fenced([] {
              for (int round = 0; round < 2; ++round) {
                void *one = forerun_pre_malloc(32), *two = forerun_pre_malloc(32);
                void *large = forerun_pre_malloc(1U << 20);
                forerun_pre_free(two);
                void *to = foreign;
                std::memcpy(two, static_cast<const void *>(&to), sizeof to); // its link
                if (round == 1)
                  std::memset(static_cast<char *>(two) - 16, 0xff, 16); // its header
                std::memset(static_cast<char *>(large) - 16, 0x7f, 16);
                for (int i = 0; i < 3; ++i) {
                  void *block = forerun_pre_malloc(32);
                  forerun_pre_own(block, 32);
                  std::memset(block, 1, 32);
                }
                forerun_pre_free(large);
                EXPECT_EQ(forerun_pre_realloc(large, 8), nullptr);
                forerun_pre_free(one);
              }
            }),
            "its function has returned");
  EXPECT_EQ(std::string(foreign, sizeof foreign), std::string(sizeof foreign, '\0'));
}

/// Files that the thread opens get no descriptor number that another thread of the program could
/// get.
TEST(FenceTest, FilesOfTheThreadTakeNoDescriptorOfTheProgram) {
  static std::atomic<bool> isRunning, done;
  isRunning = done = false;
  const int next = dup(STDERR_FILENO); // others may be inherited
  close(next);
  int others = 0;
  std::thread opener([&] {
    while (!done) {
      const bool counts = isRunning;
      const int fd = dup(STDERR_FILENO);
      others += counts && fd != next ? 1 : 0;
      close(fd);
    }
  });
  EXPECT_EQ(fenced([] {
              isRunning = true;
              for (int i = 0; i < 3000; ++i)
                forerun_pre_fclose(forerun_pre_fopen("/proc/self/statm", "r"));
              done = true;
            }),
            "its function has returned");
  opener.join();
  EXPECT_EQ(others, 0);
}

} // namespace
