// SPDX-License-Identifier: Apache-2.0
#include "forerun/standins.h"
#include "OnPreThread.h"
#include "mpi/StatusBytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <getopt.h>
#include <math.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Stand-ins for libc's functions, compared with libc's own.

using namespace forerun;

namespace {

constexpr int kRounds = 20000;

// ---- memory, sorting, strtok, random numbers ----

TEST(StandInsTest, AlignedMemoryIsAlignedAndCanBeFreedAndGrown) {
  EXPECT_EQ(onPreThread([] {
              for (int round = 0; round < 100; ++round)
                for (std::size_t alignment = 8; alignment <= 65536; alignment *= 2) {
                  void *block = nullptr;
                  ASSERT_EQ(forerun_pre_posix_memalign(&block, alignment, 100), 0);
                  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
                  std::memset(block, 7, 100);
                  block = forerun_pre_realloc(block, 5000);
                  ASSERT_EQ(static_cast<char *>(block)[99], 7);
                  forerun_pre_free(block);
                  block = forerun_pre_aligned_alloc(alignment, 2 * alignment);
                  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
                  std::memset(block, 8, 2 * alignment);
                  forerun_pre_free(block);
                }
              void *none = nullptr;
              EXPECT_EQ(forerun_pre_posix_memalign(&none, 24, 1), EINVAL);
              EXPECT_EQ(forerun_pre_posix_memalign(&none, 4, 1), EINVAL);
            }),
            kReturned);
}

TEST(StandInsTest, LargeCountsAreWrittenWhole) {
  EXPECT_EQ(onPreThread([] {
              MPI_Status status{};
              forerun::setStatusBytes(status, std::uint64_t{12} << 30);
              MPI_Count count = -1, elements = -1, size = -1, lower = -1, extent = -1;
              EXPECT_EQ(forerun_pre_MPI_Get_count_c(&status, MPI_INT, &count), MPI_SUCCESS);
              EXPECT_EQ(count, MPI_Count{3} << 30);
              EXPECT_EQ(forerun_pre_MPI_Get_elements_c(&status, MPI_BYTE, &elements), MPI_SUCCESS);
              EXPECT_EQ(elements, MPI_Count{12} << 30);
              EXPECT_EQ(forerun_pre_MPI_Type_size_c(MPI_DOUBLE, &size), MPI_SUCCESS);
              EXPECT_EQ(size, 8);
              EXPECT_EQ(forerun_pre_MPI_Type_get_extent_c(MPI_INT, &lower, &extent), MPI_SUCCESS);
              EXPECT_EQ(lower, 0);
              EXPECT_EQ(extent, 4);
              int few = 0;
              EXPECT_EQ(forerun_pre_MPI_Get_count(&status, MPI_INT, &few), MPI_SUCCESS);
              EXPECT_EQ(few, MPI_UNDEFINED);
              EXPECT_EQ(forerun_pre_MPI_Get_count_c(&status, MPI_DOUBLE_INT, &count), MPI_ERR_TYPE);
            }),
            kReturned);
}

TEST(StandInsTest, MemoryOfMpiAndFftwIsMemoryOfTheThread) {
  EXPECT_EQ(onPreThread([] {
              void *block = nullptr;
              ASSERT_EQ(forerun_pre_MPI_Alloc_mem(100, MPI_INFO_NULL, static_cast<void *>(&block)),
                        MPI_SUCCESS);
              std::memset(block, 1, 100);
              EXPECT_EQ(forerun_pre_MPI_Free_mem(block), MPI_SUCCESS);
              EXPECT_EQ(forerun_pre_MPI_Alloc_mem(-1, MPI_INFO_NULL, static_cast<void *>(&block)),
                        MPI_ERR_NO_MEM);
              struct Array {
                std::function<void *(std::size_t count)> make;
                std::size_t element;
              };
              const std::vector<Array> kinds{
                  {forerun_pre_fftwf_alloc_real, sizeof(float)},
                  {forerun_pre_fftwf_alloc_complex, 2 * sizeof(float)},
                  {forerun_pre_fftw_alloc_real, sizeof(double)},
                  {forerun_pre_fftw_alloc_complex, 2 * sizeof(double)},
                  {forerun_pre_fftwl_alloc_real, sizeof(long double)},
                  {forerun_pre_fftwl_alloc_complex, 2 * sizeof(long double)}};
              for (const auto &[make, element] : kinds) {
                std::array<void *, 2> arrays{make(1000), make(1000)};
                for (void *each : arrays)
                  std::memset(each, 2, 1000 * element);
                const auto distance =
                    static_cast<std::byte *>(arrays[1]) - static_cast<std::byte *>(arrays[0]);
                EXPECT_GE(static_cast<std::size_t>(std::abs(distance)), 1000 * element);
                EXPECT_EQ(make(SIZE_MAX / 2), nullptr);
                for (void *each : arrays)
                  forerun_pre_free(each);
              }
            }),
            kReturned);
}

TEST(StandInsTest, CopiesOfTextsAreCopies) {
  EXPECT_EQ(onPreThread([] {
              const std::string text = "forerun";
              EXPECT_STREQ(forerun_pre_strdup(text.c_str()), "forerun");
              EXPECT_NE(forerun_pre_strdup(text.c_str()), text.c_str());
              EXPECT_STREQ(forerun_pre_strndup("forerun", 4), "fore");
              EXPECT_STREQ(forerun_pre_strndup("fore", 100), "fore");
            }),
            kReturned);
}

struct Item {
  int key, number;
  std::array<char, 40> rest;
  bool operator==(const Item &) const = default;
};

int byKey(const void *one, const void *other) {
  return static_cast<const Item *>(one)->key - static_cast<const Item *>(other)->key;
}

int byKeyTimes(const void *one, const void *other, void *sign) {
  return *static_cast<const int *>(sign) * byKey(one, other);
}

TEST(StandInsTest, SortingLeavesWhatComparesEqualInLibcsOrder) {
  EXPECT_EQ(onPreThread([] {
              std::mt19937 random(1); // NOLINT: the same each time
              for (std::size_t count = 0; count < 300; ++count) {
                std::vector<Item> ours(count);
                for (std::size_t n = 0; n < count; ++n)
                  ours[n] = {static_cast<int>(random() % 20), static_cast<int>(n), {}};
                std::vector<Item> libcs = ours;
                qsort(libcs.data(), count, sizeof(Item), byKey);
                forerun_pre_qsort(ours.data(), count, sizeof(Item), byKey);
                ASSERT_EQ(ours, libcs) << count;
                int downwards = -1;
                qsort_r(libcs.data(), count, sizeof(Item), byKeyTimes, &downwards);
                forerun_pre_qsort_r(ours.data(), count, sizeof(Item), byKeyTimes, &downwards);
                ASSERT_EQ(ours, libcs) << count;
              }
            }),
            kReturned);
}

TEST(StandInsTest, StrtokHasAPlaceOfItsOwn) {
  std::string mains = "a,b;c";
  EXPECT_STREQ(std::strtok(mains.data(), ",;"), "a");
  EXPECT_EQ(onPreThread([] {
              std::string text = ",x;;y z,";
              EXPECT_STREQ(forerun_pre_strtok(text.data(), ",;"), "x");
              EXPECT_STREQ(forerun_pre_strtok(nullptr, " ;"), "y");
              EXPECT_STREQ(forerun_pre_strtok(nullptr, ","), "z");
              EXPECT_EQ(forerun_pre_strtok(nullptr, ","), nullptr);
            }),
            kReturned);
  EXPECT_STREQ(std::strtok(nullptr, ",;"), "b");
}

TEST(StandInsTest, RandomNumbersFromAStateOfTheCallersAreLibcs) {
  EXPECT_EQ(onPreThread([] {
              std::array<unsigned short, 3> ours{1, 2, 3};
              auto libcs = ours;
              for (int draw = 0; draw < 100; ++draw) {
                ASSERT_EQ(forerun_pre_erand48(ours.data()), erand48(libcs.data()));
                ASSERT_EQ(forerun_pre_nrand48(ours.data()), nrand48(libcs.data()));
                ASSERT_EQ(forerun_pre_jrand48(ours.data()), jrand48(libcs.data()));
              }
              EXPECT_EQ(ours, libcs);
            }),
            kReturned);
}

TEST(StandInsTest, SignOfGammaIsTheThreadsOwn) {
  constexpr int kNoSign = 7;
  signgam = kNoSign;
  EXPECT_EQ(onPreThread([] {
              for (const double x : {-0.5, 3.5, -1.5, -2.5}) {
                int sign = 0;
                const double libcs = lgamma_r(x, &sign);
                const auto size = static_cast<float>(libcs);
                forerun_pre_signgam = 0;
                EXPECT_EQ(forerun_pre_lgamma(x), libcs);
                EXPECT_EQ(std::exchange(forerun_pre_signgam, 0), sign);
                EXPECT_FLOAT_EQ(forerun_pre_lgammaf(static_cast<float>(x)), size);
                EXPECT_EQ(std::exchange(forerun_pre_signgam, 0), sign);
                EXPECT_FLOAT_EQ(static_cast<float>(forerun_pre_lgammal(x)), size);
                EXPECT_EQ(std::exchange(forerun_pre_signgam, 0), sign);
              }
            }),
            kReturned);
  EXPECT_EQ(signgam, kNoSign);
}

// ---- getopt ----

const std::array<std::string, 33> kWords{
    "-a",        "-b",     "-c",      "-abc",      "-bvalue", "-b=",      "-c:",
    "-x",        "-",      "--",      "word",      "other",   "--alpha",  "--alpha=1",
    "--al",      "--be=2", "--beta",  "--betaine", "--gamma", "--gamma=", "--delta",
    "--unknown", "-W",     "-a-b",    "-alpha",    "-al",     "-be",      "-beta=2",
    "-g",        "-gamma", "--alias", "-ali",      "-d"};
const std::array<const char *, 7> kOptionStrings{
    "ab:c::", ":ab:c::", "+ab:c::", "-ab:c::", "-:ab:c", "+:abc:", ""};

int flagValue = 0;
const std::array<option, 7> kLong{option{"alpha", no_argument, nullptr, 'A'},
                                  option{"alias", no_argument, nullptr, 'A'},
                                  option{"beta", required_argument, nullptr, 'B'},
                                  option{"betaine", optional_argument, &flagValue, 7},
                                  option{"gamma", optional_argument, nullptr, 'G'},
                                  option{"delta", required_argument, nullptr, 'D'},
                                  option{}};

/// What a program sees of a whole scan.
struct Scan {
  std::vector<std::string> steps, left;
  bool operator==(const Scan &) const = default;
};

using Next = int (*)(int, char *const[], const char *, const option *, int *);

Scan scanAll(std::vector<std::string> words, const char *options, Next next, char *&argument,
             int &place, int &wrong) {
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const int argc = static_cast<int>(words.size());
  Scan scan;
  place = 0;
  int result = 0;
  while (result != -1 && scan.steps.size() < 100) {
    int index = -5;
    flagValue = 0;
    result = next(argc, argv.data(), options, kLong.data(), &index);
    scan.steps.push_back(std::to_string(result) + "@" + std::to_string(place) + "," +
                         std::to_string(index) + "," + std::to_string(flagValue) + "," +
                         (argument != nullptr ? argument : "(none)") +
                         (result == '?' || result == ':' ? "!" + std::to_string(wrong) : ""));
  }
  for (int n = 0; n < argc; ++n)
    scan.left.emplace_back(argv[static_cast<std::size_t>(n)]);
  return scan;
}

/// libc's function and ours.
const std::array<std::pair<Next, Next>, 3> kGetopts{{
    {[](int argc, char *const argv[], const char *known, const option *, int *) {
       return getopt(argc, argv, known);
     },
     [](int argc, char *const argv[], const char *known, const option *, int *) {
       return forerun_pre_getopt(argc, argv, known);
     }},
    {getopt_long, forerun_pre_getopt_long},
    {getopt_long_only, forerun_pre_getopt_long_only},
}};

TEST(StandInsTest, GetoptSeesAndMovesWhatLibcsDoes) {
  opterr = 0;
  EXPECT_EQ(onPreThread([] {
              std::mt19937 random(1); // NOLINT: the same each time
              for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
                std::vector<std::string> words{"program"};
                for (auto count = random() % 8; count > 0; --count)
                  words.push_back(kWords[random() % kWords.size()]);
                const char *options = kOptionStrings[random() % kOptionStrings.size()];
                const auto which = random() % kGetopts.size();
                const auto &[theirs, own] = kGetopts[which];
                const Scan libcs = scanAll(words, options, theirs, optarg, optind, optopt);
                const Scan ours = scanAll(words, options, own, forerun_pre_optarg,
                                          forerun_pre_optind, forerun_pre_optopt);
                EXPECT_EQ(ours.steps, libcs.steps)
                    << testing::PrintToString(words) << " " << options << " " << which;
                EXPECT_EQ(ours.left, libcs.left) << testing::PrintToString(words) << " " << options;
              }
            }),
            kReturned);
}

TEST(StandInsTest, GetoptBeginsAtTheFirstArgumentWithoutBeingTold) {
  EXPECT_EQ(forerun_pre_getopt(0, nullptr, ""), -1) << "on any other thread";
}

} // namespace
