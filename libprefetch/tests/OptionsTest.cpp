// SPDX-License-Identifier: Apache-2.0
#include "base/Options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <mpi.h>
#include <string>
#include <utility>

using namespace forerun;
using testing::HasSubstr;

namespace {

class Variable {
public:
  Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  const char *name_;
};

class Info {
public:
  explicit Info(std::initializer_list<std::pair<const char *, const char *>> hints = {}) {
    MPI_Info_create(&info_);
    for (const auto &[key, value] : hints)
      MPI_Info_set(info_, key, value);
  }
  ~Info() { MPI_Info_free(&info_); }
  Info(const Info &) = delete;
  Info &operator=(const Info &) = delete;
  operator MPI_Info() const { return info_; }
  std::string get(const char *key) const {
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int set = 0;
    MPI_Info_get(info_, key, MPI_MAX_INFO_VAL, value.data(), &set);
    return set ? value.data() : "(not set)";
  }

private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Whether the process poses as one that was started with more rights than its user has.
bool isRaised = false;

class OptionsTest : public testing::Test {
protected:
  static void SetUpTestSuite() { MPI_Init(nullptr, nullptr); }
  static void TearDownTestSuite() { MPI_Finalize(); }
};

/// What \p action writes to stderr.
template <typename Action> std::string errorsOf(Action action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

/// Sets the variable of every option to \p value, one after the other, and calls \p test with its
/// name.
template <typename Test> void forEachVariable(const std::string &value, Test test) {
#define FORERUN_OPTION(member, name, kind, scope, standard, help)                                  \
  {                                                                                                \
    std::string variable = *name == '\0' ? "FORERUN" : "FORERUN_" + std::string(name);             \
    for (char &c : variable)                                                                       \
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));                          \
    const Variable set(variable.c_str(), value.c_str());                                           \
    test(variable);                                                                                \
  }
#include "base/Options.def"
#undef FORERUN_OPTION
}

TEST_F(OptionsTest, DefaultsAreThePapersFigures) {
  const Options options;
  EXPECT_TRUE(options.enabled);
  EXPECT_EQ(options.cache, CacheMode::Auto);
  EXPECT_EQ(options.cacheBytes, 32u << 20);
  EXPECT_EQ(options.pageBytes, 64u << 10);
  EXPECT_EQ(options.inFlight, 32u);
  EXPECT_EQ(options.ioEngine, IoEngine::Auto);
  EXPECT_EQ(options.leashCalls, 1024u);
  EXPECT_EQ(options.leashBytes, 0u);
  EXPECT_EQ(options.watchdogSeconds, 10u);
  EXPECT_EQ(options.report, "0");
  EXPECT_EQ(options.trace, "");
}

TEST_F(OptionsTest, EnvironmentStandsOverDefaultAndHintOverEnvironment) {
  const Variable size("FORERUN_CACHE_SIZE", "1M");
  const Variable flight("FORERUN_IN_FLIGHT", "8");
  const Options environment = Options::fromEnvironment();
  EXPECT_EQ(environment.cacheBytes, 1u << 20);
  const Info info({{"forerun_cache_size", "3M"}, {"forerun_cache", "on"}});
  const Options effective = environment.effective(info);
  EXPECT_EQ(effective.cacheBytes, 3u << 20);
  EXPECT_EQ(effective.inFlight, 8u);
  EXPECT_EQ(effective.cache, CacheMode::On);
  EXPECT_EQ(environment.cache, CacheMode::Auto);
}

TEST_F(OptionsTest, NothingOfTheEnvironmentCountsInAProgramWithRaisedRights) {
  isRaised = true;
  forEachVariable("1", [](const std::string &variable) {
    const Options options = Options::fromEnvironment();
    const Info there, standard;
    options.writeTo(there);
    Options().writeTo(standard);
    for (const char *hint : {"forerun", "forerun_cache", "forerun_cache_size", "forerun_direct",
                             "forerun_in_flight", "forerun_leash_calls", "forerun_debug",
                             "forerun_report", "forerun_check", "forerun_trace"})
      EXPECT_EQ(there.get(hint), standard.get(hint)) << variable << " changes " << hint;
  });
  isRaised = false;
}

TEST_F(OptionsTest, MasterSwitchHasTheBareName) {
  const Variable off("FORERUN", "0");
  EXPECT_FALSE(Options::fromEnvironment().enabled);
  EXPECT_TRUE(Options::fromEnvironment().effective(Info({{"forerun", "1"}})).enabled);
}

TEST_F(OptionsTest, NoHintsChangeNothing) {
  EXPECT_EQ(Options().effective(MPI_INFO_NULL).cacheBytes, Options().cacheBytes);
  EXPECT_EQ(Options().effective(Info()).cacheBytes, Options().cacheBytes);
}

TEST_F(OptionsTest, SizesTakeSuffixes) {
  const std::pair<const char *, std::size_t> sizes[] = {
      {"0", 0}, {"12345", 12345}, {"2k", 2048}, {"7M", 7u << 20}, {"5G", std::size_t{5} << 30}};
  for (const auto &[text, bytes] : sizes) {
    const Variable leash("FORERUN_LEASH_BYTES", text);
    EXPECT_EQ(Options::fromEnvironment().leashBytes, bytes) << text;
  }
}

TEST_F(OptionsTest, BadValueIsNamedOnceAndTheDefaultIsUsed) {
  const Variable size("FORERUN_CACHE_SIZE", "lots");
  const std::string warning = errorsOf([] {
    const Options options = Options::fromEnvironment();
    EXPECT_EQ(options.cacheBytes, 32u << 20);
  });
  EXPECT_EQ(warning, "forerun: FORERUN_CACHE_SIZE: invalid value \"lots\" (allowed: bytes with "
                     "an optional suffix K, M or G, 4K to 4096G); using \"32M\"\n");
}

TEST_F(OptionsTest, AMisspeltVariableIsNamedWithTheOptionThatIsProbablyMeant) {
  const auto said = [](const char *name) {
    const Variable variable(name, "1");
    return errorsOf([] { Options::fromEnvironment(); });
  };
  for (const auto &[name, option] : {std::pair("FORERUN_REPROT", "FORERUN_REPORT"),
                                     {"FORERUN_CACHESIZE", "FORERUN_CACHE_SIZE"},
                                     {"FORERUN_WATCH_DOGS", "FORERUN_WATCHDOG"}})
    EXPECT_EQ(said(name),
              std::string("forerun: ") + name + ": there is no such option; " + option + "?\n");
  for (const char *name : {"FORERUN_DEBUG", "FORERUN_MPICC", "FORERUN_CC_STRICT", "FORERUN_A",
                           "FORERUN_OF_MY_OWN", "FORERUNS"})
    EXPECT_THAT(said(name), Not(HasSubstr("no such option"))) << name;
}

/// The environment is usually the same for all processes.
TEST_F(OptionsTest, OneProcessNamesABadValueForAll) {
  const Variable size("FORERUN_CACHE_SIZE", "lots");
  const auto read = [] { EXPECT_EQ(Options::fromEnvironment().cacheBytes, 32U << 20); };
  {
    const Variable rank("PMI_RANK", "0");
    EXPECT_THAT(errorsOf(read), HasSubstr("FORERUN_CACHE_SIZE"));
  }
  const Variable rank("PMI_RANK", "3");
  EXPECT_EQ(errorsOf(read), "");
  const Info info({{"forerun_page_size", "100"}});
  EXPECT_THAT(errorsOf([&] { Options::fromEnvironment().effective(info); }),
              HasSubstr("forerun_page_size"))
      << "a hint is the process's own";
}

TEST_F(OptionsTest, BadHintIsNamedOnceForAllOpens) {
  const Options options;
  const Info info({{"forerun_page_size", "100"}});
  EXPECT_THAT(errorsOf([&] { EXPECT_EQ(options.effective(info).pageBytes, 65536u); }),
              HasSubstr("forerun_page_size: invalid value \"100\""));
  EXPECT_EQ(errorsOf([&] { EXPECT_EQ(options.effective(info).pageBytes, 65536u); }), "");
}

TEST_F(OptionsTest, EveryKindRefusesWhatItDoesNotAllow) {
  const std::pair<const char *, const char *> bad[] = {
      {"FORERUN", "yes"},
      {"FORERUN_CACHE", "2"},
      {"FORERUN_CACHE_SIZE", "1K"},
      {"FORERUN_CACHE_SIZE", ""},
      {"FORERUN_CACHE_SIZE", "-1"},
      {"FORERUN_CACHE_SIZE", "1KB"},
      {"FORERUN_CACHE_SIZE", "99999G"},
      {"FORERUN_CACHE_SIZE", "4097G"},
      {"FORERUN_PAGE_SIZE", "2G"},
      {"FORERUN_PAGE_SIZE", "1G"},
      {"FORERUN_PAGE_SIZE", "32M"},
      {"FORERUN_PAGE_SIZE", "65537"},
      {"FORERUN_IN_FLIGHT", "0"},
      {"FORERUN_IN_FLIGHT", "1x"},
      {"FORERUN_IO_ENGINE", "iouring"},
      {"FORERUN_LEASH_CALLS", "0"},
      {"FORERUN_REPORT", "2"},
      {"FORERUN_WATCHDOG", "-3"},
      {"FORERUN_LEASH_BYTES", "99999999999999999999"},
      {"FORERUN_LEASH_BYTES", "18446744073709551615G"}};
  for (const auto &[name, value] : bad) {
    const Variable variable(name, value);
    EXPECT_THAT(errorsOf([] { Options::fromEnvironment(); }), HasSubstr(name)) << value;
  }
}

TEST_F(OptionsTest, AValueOfAnyLengthIsTakenOrRefusedInOneShortLine) {
  for (const std::size_t length : {1023U, 1024U, 4096U, 100'000U}) {
    forEachVariable(std::string(length, 'a'), [&](const std::string &variable) {
      const bool taken =
          length < MPI_MAX_INFO_VAL && (variable == "FORERUN_TRACE" || variable == "FORERUN_CHECK");
      const std::string said = errorsOf([] {
        const Info used;
        Options::fromEnvironment().writeTo(used);
      });
      if (taken) {
        EXPECT_EQ(said, "") << variable << " of " << length;
        return;
      }
      EXPECT_THAT(said, HasSubstr(variable + ": invalid value \"aaa"));
      EXPECT_THAT(said, HasSubstr("(" + std::to_string(length) + " bytes)"));
      EXPECT_THAT(said, HasSubstr("(allowed: "));
      EXPECT_THAT(said, HasSubstr("; using \""));
      EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    });
  }
}

TEST_F(OptionsTest, AValueOfAnyBytesIsShownOnOneReadableLine) {
  forEachVariable("4K\n\x1b[31m\xff\xc3", [](const std::string &variable) {
    const std::string said = errorsOf([] {
      const Info used;
      Options::fromEnvironment().writeTo(used);
    });
    if (variable == "FORERUN_TRACE" || variable == "FORERUN_CHECK") // names may be so
      return;
    EXPECT_THAT(said, HasSubstr(variable + ": invalid value \"4K\\u000a\\u001b[31m??\""));
  });
}

TEST_F(OptionsTest, ACacheOfLessThanAPageIsRefusedWhereItWasAskedFor) {
  {
    const Variable size("FORERUN_CACHE_SIZE", "4K");
    EXPECT_THAT(errorsOf([] {
                  const Options options = Options::fromEnvironment();
                  EXPECT_EQ(options.cacheBytes, 32u << 20);
                }),
                HasSubstr("FORERUN_CACHE_SIZE: invalid value \"4K\" (allowed: at least the page "
                          "size, 64K, or set FORERUN_PAGE_SIZE too); using \"32M\""));
  }
  const Options options;
  EXPECT_THAT(errorsOf([&] {
                EXPECT_EQ(options.effective(Info({{"forerun_cache_size", "32K"}})).cacheBytes,
                          32u << 20);
              }),
              HasSubstr("forerun_cache_size: invalid value \"32K\""));
  const Variable size("FORERUN_CACHE_SIZE", "1M");
  const Options small = Options::fromEnvironment();
  EXPECT_THAT(
      errorsOf([&] {
        EXPECT_EQ(small.effective(Info({{"forerun_page_size", "2M"}})).pageBytes, 64u << 10);
      }),
      HasSubstr("forerun_page_size: invalid value \"2M\" (allowed: at most the cache size, 1M"));
}

TEST_F(OptionsTest, ASmallCacheOfSmallPagesIsTaken) {
  const Variable size("FORERUN_CACHE_SIZE", "4K"), page("FORERUN_PAGE_SIZE", "4K");
  EXPECT_EQ(errorsOf([] { EXPECT_EQ(Options::fromEnvironment().cacheBytes, 4096U); }), "");
}

TEST_F(OptionsTest, WhatIsWrittenToAnInfoReadsBackTheSame) {
  const Variable report("FORERUN_REPORT", "out.json");
  const Info users(
      {{"forerun_cache_size", "5M"}, {"forerun_io_engine", "threads"}, {"forerun_direct", "1"}});
  const Options options = Options::fromEnvironment().effective(users);
  const Info used;
  options.writeTo(used);
  EXPECT_EQ(used.get("forerun"), "1");
  EXPECT_EQ(used.get("forerun_cache_size"), "5M");
  EXPECT_EQ(used.get("forerun_io_engine"), "threads");
  EXPECT_EQ(used.get("forerun_leash_calls"), "1024");
  std::vector<IgnoredHint> ignored;
  const Options again = Options::fromEnvironment().effective(used, &options, &ignored);
  EXPECT_EQ(again.cacheBytes, options.cacheBytes);
  EXPECT_EQ(again.ioEngine, options.ioEngine);
  EXPECT_EQ(again.report, options.report);
  EXPECT_EQ(again.direct, options.direct);
  EXPECT_TRUE(ignored.empty()) << "hints that ask for what is in force";
}

TEST_F(OptionsTest, AHintForTheWholeProcessHasNoEffect) {
  const Variable seconds("FORERUN_WATCHDOG", "3");
  const Info users({{"forerun_watchdog", "7"}, {"forerun_report", "0"}, {"forerun_cache", "on"}});
  std::vector<IgnoredHint> ignored;
  const Options options = Options::fromEnvironment().effective(users, nullptr, &ignored);
  EXPECT_EQ(options.watchdogSeconds, 3u);
  EXPECT_EQ(options.cache, CacheMode::On);
  ASSERT_EQ(ignored.size(), 1u);
  EXPECT_EQ(ignored[0].hint, "forerun_watchdog");
  EXPECT_EQ(ignored[0].asked, "7");
  EXPECT_EQ(ignored[0].variable, "FORERUN_WATCHDOG");
  EXPECT_EQ(ignored[0].inForce, "3");
  EXPECT_EQ(ignored[0].scope, Scope::Process);
  const Info used;
  options.writeTo(used);
  EXPECT_EQ(used.get("forerun_watchdog"), "3");
}

TEST_F(OptionsTest, TheFirstFileDecidesForTheOthers) {
  const Options first = Options().effective(Info({{"forerun_leash_calls", "9"}}));
  EXPECT_EQ(first.leashCalls, 9u);
  std::vector<IgnoredHint> ignored;
  const Options second = Options().effective(MPI_INFO_NULL, &first, &ignored);
  EXPECT_EQ(second.leashCalls, 9u);
  EXPECT_TRUE(ignored.empty());
  const Options third = Options().effective(
      Info({{"forerun_leash_calls", "10"}, {"forerun_page_size", "64K"}}), &first, &ignored);
  EXPECT_EQ(third.leashCalls, 9u);
  ASSERT_EQ(ignored.size(), 1u);
  EXPECT_EQ(ignored[0].hint, "forerun_leash_calls");
  EXPECT_EQ(ignored[0].scope, Scope::FirstFile);
}

TEST_F(OptionsTest, OfAnOpenFileOnlyTheCacheMayChangeAndNotToOff) {
  std::vector<IgnoredHint> ignored;
  const Options on = Options().changed(Info({{"forerun_cache", "on"}}), ignored);
  EXPECT_EQ(on.cache, CacheMode::On);
  EXPECT_TRUE(ignored.empty());
  const Options off = on.changed(
      Info({{"forerun_cache", "off"}, {"forerun", "0"}, {"forerun_leash_calls", "5"}}), ignored);
  EXPECT_EQ(off.cache, CacheMode::On);
  EXPECT_TRUE(off.enabled);
  EXPECT_EQ(off.leashCalls, 1024u);
  EXPECT_EQ(ignored.size(), 3u);
}

TEST_F(OptionsTest, CacheIsConfiguredFromThem) {
  const Info info({{"forerun_page_size", "16K"}, {"forerun_in_flight", "4"}});
  const CacheConfig config = Options().effective(info).cacheConfig();
  EXPECT_EQ(config.capacityBytes, 32u << 20);
  EXPECT_EQ(config.pageBytes, 16u << 10);
  EXPECT_EQ(config.inFlight, 4u);
}

} // namespace

/// Replaces libc's.
extern "C" char *secure_getenv(const char *name) noexcept {
  return isRaised ? nullptr : std::getenv(name);
}
