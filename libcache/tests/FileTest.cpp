// SPDX-License-Identifier: Apache-2.0
// Files: identity, handles, opening and closing; the cache's configuration and its observer.
#include "CacheFixture.h"

#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>

using namespace forerun;

namespace {

/// If set, all files have the same number, as on file systems without numbers of their own.
bool filesHaveOneNumber = false;

} // namespace

extern "C" int fstat(int fd, struct stat *status) noexcept {
  using Function = int(int, struct stat *);
  static auto *real = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, "fstat"));
  const int result = real(fd, status);
  if (filesHaveOneNumber)
    status->st_ino = 42;
  return result;
}

namespace {

class Files : public CacheFixture {
protected:
  CachedFile *open(const FileSource &source) {
    rc = FORERUN_OK;
    return cache->open(source, rc);
  }
  forerun_rc rc = FORERUN_OK;
};

TEST_F(Files, HandlesOfOneFileShareItsPages) {
  CachedFile *again = open(descriptor.source());
  EXPECT_EQ(again, file);
  bring(0, kPage);
  cache->close(again);
  EXPECT_EQ(engine->closed(), 0U);
}

TEST_F(Files, OpenedByALinkOrAfterAMoveAreTheSame) {
  const std::string &path = descriptor.path();
  const std::string link = path + ".link", moved = path + ".moved";
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  const int byLink = ::open(link.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(std::rename(path.c_str(), moved.c_str()), 0);
  const int byNewPath = ::open(moved.c_str(), O_RDONLY | O_CLOEXEC);
  for (const int fd : {byLink, byNewPath}) {
    EXPECT_EQ(open({link, fd, "ufs"}), file);
    cache->close(file);
    ::close(fd);
  }
  unlink(link.c_str());
  unlink(moved.c_str());
}

TEST_F(Files, OfOneNumberThatMayBeTwoAreNotMixed) {
  filesHaveOneNumber = true;
  const Descriptor one;
  const Descriptor other;
  CachedFile *first = open(one.source());
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(open(other.source()), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_AMBIGUOUS);
  EXPECT_EQ(open(one.source()), first);
  cache->close(first);
  unlink(one.path().c_str());
  EXPECT_EQ(open(one.source()), nullptr) << "two that are deleted can have been of one path";
  cache->close(first);
  filesHaveOneNumber = false;
}

TEST_F(Files, OpenedByAHardLinkMayBeOthers) {
  const std::string link = descriptor.path() + ".hard";
  ASSERT_EQ(::link(descriptor.path().c_str(), link.c_str()), 0);
  const int fd = ::open(link.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(open({link, fd, "ufs"}), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_AMBIGUOUS);
  FileIdentity byPath;
  FileIdentity byLink;
  EXPECT_TRUE(identify(descriptor.source(), byPath, rc));
  EXPECT_TRUE(identify({link, fd, "ufs"}, byLink, rc));
  EXPECT_EQ(byPath, byLink) << "for whoever tells of writes";
  ::close(fd);
  unlink(link.c_str());
}

TEST_F(Files, OpeningBeginsANewEpoch) {
  bring(0, kPage);
  CachedFile *again = open(descriptor.source());
  EXPECT_FALSE(covered(0, 1));
  cache->close(again);
}

TEST_F(Files, StayReadableWhenTheHandleOpenedFirstIsClosedFirst) {
  CachedFile *second = nullptr;
  int duplicate = -1;
  const Descriptor first;
  {
    CachedFile *opened = open(first.source());
    duplicate = dup(first.source().fd);
    second = open({"somewhere/file", duplicate, "ufs"});
    EXPECT_EQ(opened, second);
    cache->close(opened, first.source().fd);
  }
  EXPECT_EQ(engine->descriptor(), duplicate);
  EXPECT_EQ(cache->prefetch(*second, 0, kPage, 1), Announced::Accepted);
  engine->finishAll();
  EXPECT_TRUE(cache->covered(*second, 0, kPage));
  cache->close(second, duplicate);
  ::close(duplicate);
}

TEST_F(Files, HaveNoDescriptorBesideThoseOfTheirHandles) {
  const int before = dup(0);
  ::close(before);
  const Descriptor one; // takes the lowest free number
  CachedFile *opened = open(one.source());
  const int after = dup(0);
  ::close(after);
  EXPECT_EQ(after, before + 1);
  cache->close(opened, one.source().fd);
}

TEST_F(Files, ThatAreReadThroughAHandleBeingClosedAreWaitedForAndNothingElseIs) {
  const int duplicate = dup(descriptor.source().fd);
  CachedFile *again = open({"somewhere/file", duplicate, "ufs"});
  ASSERT_EQ(again, file);
  EXPECT_EQ(cache->prefetch(*file, 0, kPage, 1), Announced::Accepted);
  auto closing =
      std::async(std::launch::async, [this] { cache->close(file, descriptor.source().fd); });
  while (engine->descriptor() != duplicate)
    std::this_thread::yield();
  EXPECT_EQ(cache->prefetch(*file, 3 * kPage, kPage, 2), Announced::Accepted);
  engine->finish(0); // the earlier one; the one through the other descriptor is still to come
  closing.get();
  engine->finishAll();
  file = nullptr;
  cache->close(again, duplicate);
  ::close(duplicate);
}

TEST_F(Files, OfOneOffsetDoNotMix) {
  const Descriptor other;
  CachedFile *second = open(other.source());
  ASSERT_NE(second, file);
  bring(0, kPage);
  EXPECT_FALSE(cache->covered(*second, 0, 1));
  cache->close(second);
  EXPECT_TRUE(covered(0, kPage));
}

/// Linux before 6.5 does not report this: nothing counts as resident then.
TEST_F(Files, AreResidentWhereTheSystemHoldsAllOfARange) {
  const Descriptor kept;
  CachedFile *second = open(kept.source());
  const std::vector<char> bytes = bytesOf(0, kPage);
  ASSERT_EQ(pwrite(kept.source().fd, bytes.data(), kPage, kPage), static_cast<ssize_t>(kPage));
  const bool tells = syscall(451, -1, nullptr, nullptr, 0) != 0 && errno != ENOSYS;
  EXPECT_EQ(cache->resident(*second, kPage, kPage), tells);
  EXPECT_EQ(cache->resident(*second, kPage + 1, 1), tells);
  EXPECT_FALSE(cache->resident(*second, kPage - 1, 2)) << "in front of it is a hole";
  EXPECT_FALSE(cache->resident(*second, kPage, kPage + 1)) << "the file ends before that";
  cache->close(second);
}

TEST_F(Files, ClosingWaitsForTheFetchesUnderWay) {
  prefetch(0, 2 * kPage);
  auto closing = std::async(std::launch::async, [this] { cache->close(file); });
  engine->finish(0);
  EXPECT_EQ(engine->closed(), 0U);
  engine->finish(kPage);
  closing.get();
  file = nullptr;
  EXPECT_EQ(engine->closed(), 1U);
}

TEST_F(Files, ClosingHasGatheredFetchesIssued) {
  cache->gather();
  prefetch(0, kPage);
  auto closing = std::async(std::launch::async, [this] { cache->close(file); });
  engine->waitForFlush();
  engine->finish(0);
  closing.get();
  file = nullptr;
  EXPECT_EQ(engine->closed(), 1U);
  cache->flush();
}

TEST_F(Files, LeaveTheirCountsInTheWholeCaches) {
  bring(0, kPage);
  read(0, kPage);
  cache->close(file);
  file = nullptr;
  EXPECT_EQ(cache->stats().hits, 1U);
  EXPECT_EQ(cache->stats().fetchedBytes, kPage);
}

TEST_F(Files, GiveTheirFramesBackWhenClosed) {
  const Descriptor other;
  CachedFile *second = open(other.source());
  ASSERT_EQ(cache->prefetch(*second, 0, 8 * kPage, 1), Announced::Accepted);
  engine->finishAll();
  EXPECT_EQ(prefetch(0, kPage, 2), Announced::Full);
  cache->close(second);
  EXPECT_EQ(prefetch(0, 8 * kPage, 2), Announced::Accepted);
}

TEST_F(Files, WithoutADescriptorAreKnownByTheNumbersOfTheirFileSystem) {
  CachedFile *one = open({"pvfs/a", -1, "pvfs2", nullptr, 1, 7});
  CachedFile *other = open({"pvfs/b", -1, "pvfs2", nullptr, 1, 8});
  EXPECT_EQ(open({"pvfs/link to a", -1, "pvfs2", nullptr, 1, 7}), one);
  EXPECT_NE(one, other);
  EXPECT_EQ(cache->path(*other), "pvfs/b");
  cache->close(one);
  cache->close(one);
  cache->close(other);
}

TEST_F(Files, ThatAreNotRegularAreRefused) {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(open({"/dev/null", null, "ufs"}), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_UNSUPPORTED);
  ::close(null);
  EXPECT_EQ(open({"nothing", 1 << 20, "ufs"}), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_ARGUMENT);
}

TEST_F(Files, ThatTheEngineCannotServeAreRefused) {
  engine->openRc = FORERUN_ERR_UNSUPPORTED;
  const Descriptor other;
  EXPECT_EQ(open(other.source()), nullptr);
  EXPECT_EQ(rc, FORERUN_ERR_UNSUPPORTED);
}

TEST(ACache, RefusesAConfigurationThatMakesNoSense) {
  const auto rcOf = [](CacheConfig config) {
    forerun_rc rc = FORERUN_OK;
    const auto noEngine = [](const CacheConfig &, const Completed &,
                             forerun_rc &engineRc) -> std::unique_ptr<FetchEngine> {
      engineRc = FORERUN_ERR_UNSUPPORTED;
      return nullptr;
    };
    EXPECT_EQ(PageCache::create(config, noEngine, rc), nullptr);
    return rc;
  };
  EXPECT_EQ(rcOf({.pageBytes = 2048}), FORERUN_ERR_ARGUMENT);
  EXPECT_EQ(rcOf({.pageBytes = 3 * 4096}), FORERUN_ERR_ARGUMENT);
  EXPECT_EQ(rcOf({.capacityBytes = 4096}), FORERUN_ERR_ARGUMENT);
  EXPECT_EQ(rcOf({.inFlight = 0}), FORERUN_ERR_ARGUMENT);
  EXPECT_EQ(rcOf({}), FORERUN_ERR_UNSUPPORTED); // the engine's
  EXPECT_EQ(rcOf({.capacityBytes = std::size_t{1} << 47, .pageBytes = 1 << 20}),
            FORERUN_ERR_MEMORY);
}

TEST(ACachesObserver, SeesEveryFetchWithItsTimesAndWhatBecameOfIt) {
  FakeEngine *engine = nullptr;
  forerun_rc rc = FORERUN_OK;
  const auto cache = PageCache::create(
      {.capacityBytes = 8 * kPage, .pageBytes = kPage},
      [&](const CacheConfig &, Completed completed, forerun_rc &) {
        auto made = std::make_unique<FakeEngine>(std::move(completed));
        engine = made.get();
        return made;
      },
      rc);
  std::vector<FetchEvent> events;
  cache->onFetch([&](const FetchEvent &event) { events.push_back(event); });
  const Descriptor descriptor;
  CachedFile *file = cache->open(descriptor.source(), rc);
  engine->content.resize(kPage + 10);

  cache->prefetch(*file, 0, 3 * kPage, 1);
  engine->finish(0);
  engine->fail(2 * kPage);
  cache->newEpoch(*file, nullptr);
  engine->finish(kPage);

  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].file, file);
  EXPECT_EQ(events[0].rc, FORERUN_OK);
  EXPECT_EQ(events[0].length, kPage);
  EXPECT_EQ(events[0].finishedNs - events[0].issuedNs, engine->fetchNs);
  EXPECT_EQ(events[1].rc, FORERUN_ERR_IO);
  EXPECT_EQ(events[1].offset, 2 * kPage);
  EXPECT_EQ(events[2].rc, FORERUN_ERR_STALE);
  EXPECT_EQ(events[2].length, 10U);
  cache->close(file);
}

} // namespace
