// SPDX-License-Identifier: Apache-2.0
// Which backend an engine chooses, also if the kernel or a container forbids io_uring.
#include "FetchEngineTestSupport.h"
#include "fetch/FetchEngine.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>

using namespace forerun;
using testing::AnyOf;
using testing::StrEq;

namespace {

std::unique_ptr<FetchEngine> create(IoEngine engine, forerun_rc &rc) {
  CacheConfig config;
  config.engine = engine;
  return FetchEngine::create(config, [](FetchRequest &) {}, rc);
}

/// Like the seccomp profiles of containers: \p call fails for this thread and those that it starts.
void forbid(long call) {
  std::array filter = {
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {filter.size(), filter.data()};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

class FetchEngineWithout : public testing::TestWithParam<long> {};

TEST_P(FetchEngineWithout, IoUringThreadsTakeOver) {
  // A filter stays with its thread: hence a thread of its own.
  std::thread([] {
    forbid(GetParam());
    forerun_rc rc = FORERUN_OK;
    auto engine = create(IoEngine::Auto, rc);
    ASSERT_NE(engine, nullptr);
    EXPECT_EQ(rc, FORERUN_OK);
    EXPECT_STREQ(engine->name(), "threads");
    EXPECT_EQ(create(IoEngine::IoUring, rc), nullptr);
    EXPECT_EQ(rc, FORERUN_ERR_UNSUPPORTED);
  }).join();
}

INSTANTIATE_TEST_SUITE_P(ACall, FetchEngineWithout,
                         testing::Values(SYS_io_uring_setup, SYS_io_uring_enter));

TEST(FetchEngineChoice, AutoAlwaysFindsAnEngine) {
  forerun_rc rc = FORERUN_ERR_IO;
  auto engine = create(IoEngine::Auto, rc);
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(rc, FORERUN_OK);
  EXPECT_THAT(engine->name(), AnyOf(StrEq("io_uring"), StrEq("threads")));
}

/// It would wait for ever if a thread slept in io_uring_enter.
TEST(FetchEngineChoice, AutoIsThreadsUnderValgrind) {
  forerun_rc rc = FORERUN_ERR_IO;
  setenv("LD_PRELOAD", "/usr/libexec/valgrind/vgpreload_core-amd64-linux.so", 1);
  auto engine = create(IoEngine::Auto, rc);
  unsetenv("LD_PRELOAD");
  ASSERT_NE(engine, nullptr);
  EXPECT_STREQ(engine->name(), "threads");
}

TEST(FetchEngineChoice, AFileThatNoBackendServesIsRefused) {
  forerun_rc rc = FORERUN_OK;
  auto engine = create(IoEngine::Auto, rc);
  EXPECT_EQ(engine->openFile({"neither/descriptor/nor/reader", -1, "pvfs2"}, rc), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_UNSUPPORTED);
}

TEST(FetchEngineChoice, AFileWithoutADescriptorIsReadByItsReader) {
  for (IoEngine configured : {IoEngine::Auto, IoEngine::Threads}) {
    forerun_rc rc = FORERUN_OK;
    auto engine = create(configured, rc);
    ASSERT_NE(engine, nullptr);
    FetchFile *file =
        engine->openFile({"file", -1, "pvfs2", std::make_shared<DescriptorReader>(-1)}, rc);
    ASSERT_NE(file, nullptr);
    EXPECT_STREQ(engine->name(), "reader");
    engine->closeFile(file);
  }
}

TEST(FetchEngineChoice, NothingInFlightIsNoConfiguration) {
  CacheConfig config;
  config.inFlight = 0;
  forerun_rc rc = FORERUN_OK;
  EXPECT_EQ(FetchEngine::create(config, [](FetchRequest &) {}, rc), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_ARGUMENT);
}

} // namespace
