// SPDX-License-Identifier: Apache-2.0
#include "twin/LinkNamespace.h"
#include "twin/LoadTwin.h"
#include "twin/LoadedLibrary.h"
#include "twin/TwinThread.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <gnu/lib-names.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace forerun;

namespace {

/// A thread that runs \p inside in a twin, \p times times.
class Entering {
public:
  explicit Entering(std::function<void()> inside, int times = 1)
      : thread_([this, inside = std::move(inside), times] {
          for (int n = 0; n < times; ++n)
            came_.push_back(thread_.inside(inside));
          done_.store(true);
        }) {
    started_ = thread_.start();
  }

  /// Whether each run returned; waits until the thread has ended by itself.
  std::vector<bool> came() {
    while (!done_.load())
      std::this_thread::yield();
    thread_.stop();
    return came_;
  }
  TwinThread &thread() { return thread_; }
  bool started() const { return started_; }

private:
  std::vector<bool> came_;
  std::atomic<bool> done_{false};
  bool started_ = false;
  TwinThread thread_;
};

void fault() {
  static volatile char *volatile nowhere = nullptr;
  *nowhere = 1;
}

TEST(TwinThreadTest, WhoComesBackMayEnterAgain) {
  int entered = 0;
  Entering entering([&] { ++entered; }, 3);
  ASSERT_TRUE(entering.started());
  EXPECT_EQ(entering.came(), std::vector<bool>(3, true));
  EXPECT_EQ(entered, 3);
}

TEST(TwinThreadTest, AFaultInsideEndsTheTwinAndNothingElse) {
  int entered = 0;
  Entering entering(
      [&] {
        ++entered;
        fault();
      },
      2);
  EXPECT_EQ(entering.came(), std::vector<bool>(2, false));
  EXPECT_EQ(entered, 1);
  EXPECT_STREQ(entering.thread().why(), "a segmentation fault (SIGSEGV)");
}

TEST(TwinThreadTest, AnAbortInsideEndsTheTwinAndNothingElse) {
  Entering entering([] { std::abort(); });
  EXPECT_EQ(entering.came(), std::vector<bool>(1, false));
}

TEST(TwinThreadTest, AFaultOutsideIsThePrograms) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, SIG_DFL);
        Entering entering([] {
          const TwinThread::Outside outside;
          fault();
        });
        entering.came();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(TwinThreadTest, StopTakesItOutOfAnEndlessLoop) {
  std::atomic<bool> isInside{false};
  Entering entering([&] {
    isInside.store(true);
    while (isInside.load())
      ;
  });
  while (!isInside.load())
    std::this_thread::yield();
  entering.thread().stop();
  EXPECT_EQ(entering.came(), std::vector<bool>(1, false));
}

TEST(TwinThreadTest, WhoIsOutsideIsLetComeBackBeforeItIsTakenOut) {
  std::atomic<bool> isOutside{false};
  std::atomic<bool> isAsked{false};
  bool cameBack = false;
  Entering entering([&] {
    {
      const TwinThread::Outside outside;
      isOutside.store(true);
      while (!isAsked.load())
        std::this_thread::yield();
      // The signal may come here: stop() is under way.
      for (int n = 0; n < 1000; ++n)
        std::this_thread::yield();
      cameBack = true;
    }
    while (isOutside.load())
      ;
  });
  while (!isOutside.load())
    std::this_thread::yield();
  isAsked.store(true);
  entering.thread().stop();
  EXPECT_TRUE(cameBack);
  EXPECT_EQ(entering.came(), std::vector<bool>(1, false));
}

TEST(LinkNamespaceTest, ATwinSharesNoVariableWithTheProgram) {
  LinkNamespace space;
  std::string whyNot;
  ASSERT_TRUE(space.load(LIBC_SO, whyNot)) << whyNot;
  auto *const twins = static_cast<int *>(space.symbol("optind"));
  ASSERT_NE(twins, nullptr);
  EXPECT_NE(twins, &optind);
  const int before = optind;
  *twins = before + 1;
  EXPECT_EQ(optind, before);
}

TEST(LinkNamespaceTest, AThreadThatHasEnteredKnowsCharactersInside) {
  LinkNamespace space;
  std::string whyNot;
  ASSERT_TRUE(space.load(LIBC_SO, whyNot)) << whyNot;
  auto *const isDigit = reinterpret_cast<int (*)(int)>(space.symbol("isdigit"));
  ASSERT_NE(isDigit, nullptr);
  bool seven = false;
  bool letter = true;
  std::thread([&] {
    space.enterThread();
    seven = isDigit('7') != 0;
    letter = isDigit('x') != 0;
  }).join();
  EXPECT_TRUE(seven);
  EXPECT_FALSE(letter);
}

TEST(LinkNamespaceTest, WhatIsNotFoundIsNamed) {
  LinkNamespace space;
  std::string whyNot;
  EXPECT_FALSE(space.load("libnot-there.so", whyNot));
  EXPECT_NE(whyNot.find("libnot-there.so"), std::string::npos) << whyNot;
}

TEST(LinkNamespaceTest, ValgrindIsNotAskedForOne) {
  LinkNamespace space;
  std::string whyNot;
  setenv("LD_PRELOAD", "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so", 1);
  const bool loaded = space.load(LIBC_SO, whyNot);
  unsetenv("LD_PRELOAD");
  EXPECT_FALSE(loaded);
  EXPECT_EQ(whyNot, "valgrind knows of one link namespace only");
}

/// How many times a library whose path contains \p name is mapped.
int copiesOf(const std::string &name) {
  std::ifstream maps("/proc/self/maps");
  int copies = 0;
  for (std::string line; std::getline(maps, line);)
    copies += line.find(name) != std::string::npos && line.find(" 00000000 ") != std::string::npos;
  return copies;
}

/// A second MPI would affect the process like the first one: libucm, for instance, moves the break.
TEST(LoadTwinTest, NoSecondMpiComesWithATwin) {
  std::string whyNot;
  const LoadedLibrary library = libraryThatDefines("twinLibraryAsks", whyNot);
  ASSERT_FALSE(library.path.empty()) << whyNot;
  const int before = copiesOf("prefetch_twin_library");
  LinkNamespace space;
  ASSERT_TRUE(loadTwin(space, {"none", library.path, "twinLibraryAsks"}, whyNot)) << whyNot;
  EXPECT_EQ(copiesOf("prefetch_twin_library"), before + 1);
  EXPECT_EQ(copiesOf(FORERUN_MPI_SONAME), 1);
  auto *const asks = reinterpret_cast<int (*)()>(space.symbol("twinLibraryAsks"));
  ASSERT_NE(asks, nullptr);
  EXPECT_EQ(asks(), 0);
  auto *const reads = reinterpret_cast<int (*)(void *)>(space.symbol("twinLibraryReads"));
  EXPECT_NE(reads(nullptr), 0);
}

int call(const LinkNamespace &space, const char *function) {
  auto *const found = reinterpret_cast<int (*)()>(space.symbol(function));
  return found != nullptr ? found() : -1;
}

TEST(LinkNamespaceTest, ALibraryOnTopCallsWhatAModuleHasInPlaceOfOthers) {
  std::string whyNot;
  const LoadedLibrary library = libraryThatDefines("twinLibraryAsks", whyNot);
  LinkNamespace space;
  ASSERT_TRUE(loadTwin(space, {"none", library.path, "twinLibraryAsks"}, whyNot)) << whyNot;
  ASSERT_TRUE(space.load(TWIN_MODULE, whyNot)) << whyNot;
  for (int time = 0; time < 2; ++time) { // completed steps are not repeated
    ASSERT_TRUE(space.loadOnTop({.path = TWIN_ON_TOP, .name = "", .module = ""}, whyNot)) << whyNot;
    EXPECT_EQ(call(space, "twinOnTopAsks"), 42);
    EXPECT_EQ(call(space, "twinOnTopAsksByTable"), 42);
  }
  EXPECT_EQ(call(space, "twinLibraryAsks"), 0);
}

TEST(LinkNamespaceTest, ALibraryOnTopCallsWhatItsOwnModuleHasBeforeAnyOther) {
  std::string whyNot;
  const LoadedLibrary library = libraryThatDefines("twinLibraryAsks", whyNot);
  LinkNamespace space;
  ASSERT_TRUE(loadTwin(space, {"none", library.path, "twinLibraryAsks"}, whyNot)) << whyNot;
  ASSERT_TRUE(space.load(TWIN_MODULE, whyNot)) << whyNot;
  const LibraryOnTop onTop{.path = TWIN_ON_TOP, .name = "onTop", .module = TWIN_MODULE_ON_TOP};
  ASSERT_TRUE(space.loadOnTop(onTop, whyNot)) << whyNot;
  EXPECT_EQ(call(space, "twinOnTopAsks"), 43);
  EXPECT_EQ(call(space, "twinOnTopAsksByTable"), 43);
  EXPECT_EQ(call(space, "forerun_twin_twinLibraryAsks"), 42);
}

TEST(LoadedLibraryTest, ALibraryThatIsLoadedForOneAloneIsFound) {
  void *const alone = dlopen(LIBNSS_COMPAT_SO, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(alone, nullptr);
  ASSERT_EQ(dlsym(RTLD_DEFAULT, "_nss_compat_setpwent"), nullptr);
  std::string whyNot;
  const LoadedLibrary library = libraryThatDefines("_nss_compat_setpwent", whyNot);
  EXPECT_NE(library.path.find(LIBNSS_COMPAT_SO), std::string::npos) << whyNot;
  EXPECT_EQ(dlsym(library.handle, "_nss_compat_setpwent"), dlsym(alone, "_nss_compat_setpwent"));
  dlclose(alone);
}

TEST(LoadedLibraryTest, WhatNoLibraryDefinesIsNotFound) {
  std::string whyNot;
  const LoadedLibrary library = libraryThatDefines("forerun_has_no_such_function", whyNot);
  EXPECT_TRUE(library.path.empty());
  EXPECT_EQ(library.handle, nullptr);
  EXPECT_EQ(whyNot, "no library is loaded that has it; it may be linked statically");
}

} // namespace
