// SPDX-License-Identifier: Apache-2.0
#include "OnPreThread.h"
#include "forerun/standins.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

// The private streams, compared with libc's on the same file.

using namespace forerun;

namespace {

class StreamStandInsTest : public testing::Test {
protected:
  StreamStandInsTest() : path_(testing::TempDir() + "forerun-stream-XXXXXX") {
    ::close(mkstemp(path_.data()));
  }
  ~StreamStandInsTest() override { unlink(path_.c_str()); }

  void fill(const std::string &text) { std::ofstream(path_, std::ios::binary) << text; }

  std::string path_;
  std::mt19937 random_{1}; // NOLINT: the same each time
};

/// The same calls on both streams; each returns what a program would see of it.
struct Both {
  explicit Both(const std::string &path)
      : libcs(std::fopen(path.c_str(), "r")), ours(forerun_pre_fopen(path.c_str(), "r")) {}
  ~Both() {
    std::fclose(libcs);
    EXPECT_EQ(forerun_pre_fclose(ours), 0);
  }
  Both(const Both &) = delete;
  Both &operator=(const Both &) = delete;

  void expectSamePlace() const {
    EXPECT_EQ(forerun_pre_ftell(ours), std::ftell(libcs));
    EXPECT_EQ(forerun_pre_feof(ours) != 0, std::feof(libcs) != 0);
    EXPECT_EQ(forerun_pre_ferror(ours), 0);
  }

  FILE *libcs, *ours;
};

std::string randomText(std::mt19937 &random, const std::string &letters, std::size_t most) {
  std::string text(random() % most, ' ');
  for (char &c : text)
    c = letters[random() % letters.size()];
  return text;
}

/// One line, into memory that both have to allocate.
void expectSameLine(Both &both) {
  char *one = nullptr, *other = nullptr;
  std::size_t bytes = 0, others = 0;
  const ssize_t length = forerun_pre_getline(&one, &bytes, both.ours);
  EXPECT_EQ(length, getline(&other, &others, both.libcs));
  if (length >= 0) {
    EXPECT_STREQ(one, other);
  }
  std::free(other); // NOLINT(cppcoreguidelines-no-malloc): getline's
  forerun_pre_free(one);
}

void doTheSame(Both &both, std::mt19937 &random) {
  std::array<char, 40> one{}, other{};
  const int size = static_cast<int>(random() % one.size());
  const long offset = static_cast<long>(random() % 60) - 20;
  const int whence = static_cast<int>(random() % 3);
  switch (random() % 8) {
  case 0:
    EXPECT_EQ(forerun_pre_fgetc(both.ours), std::fgetc(both.libcs));
    break;
  case 1: {
    const int c = forerun_pre_getc(both.ours);
    EXPECT_EQ(c, std::getc(both.libcs));
    if (c != EOF) {
      EXPECT_EQ(forerun_pre_ungetc(c, both.ours), std::ungetc(c, both.libcs));
    }
    break;
  }
  case 2:
    EXPECT_EQ(forerun_pre_fgets(one.data(), size + 1, both.ours) != nullptr,
              std::fgets(other.data(), size + 1, both.libcs) != nullptr);
    break;
  case 3:
    EXPECT_EQ(forerun_pre_fread(one.data(), 3, 13, both.ours),
              std::fread(other.data(), 3, 13, both.libcs));
    break;
  case 4:
    EXPECT_EQ(forerun_pre_fseek(both.ours, offset, whence) == 0,
              std::fseek(both.libcs, offset, whence) == 0);
    break;
  case 5:
    forerun_pre_rewind(both.ours);
    std::rewind(both.libcs); // NOLINT(bugprone-unsafe-functions): what is held against ours
    break;
  case 6:
    expectSameLine(both);
    break;
  default:
    forerun_pre_clearerr(both.ours);
    std::clearerr(both.libcs);
  }
  EXPECT_EQ(one, other);
  both.expectSamePlace();
}

TEST_F(StreamStandInsTest, EveryCallDoesWhatLibcsDoes) {
  EXPECT_EQ(onPreThread([this] {
              for (int round = 0; round < 500 && !HasFailure(); ++round) {
                fill(randomText(random_, "ab\n", 200));
                Both both(path_);
                for (int call = 0; call < 40 && !HasFailure(); ++call)
                  doTheSame(both, random_);
              }
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, LinesOfAnyLengthAreReadIntoOneBufferThatGrows) {
  EXPECT_EQ(onPreThread([this] {
              const std::string first(50, 'a'), second(700, 'b'), third(7, 'c');
              fill(first + "\n" + second + "\n" + third);
              FILE *stream = forerun_pre_fopen(path_.c_str(), "r");
              char *line = nullptr;
              std::size_t bytes = 0;
              EXPECT_EQ(forerun_pre_getline(&line, &bytes, stream), 51);
              EXPECT_EQ(line, first + "\n");
              EXPECT_EQ(forerun_pre_getdelim(&line, &bytes, 'b', stream), 1);
              EXPECT_EQ(forerun_pre_getline(&line, &bytes, stream), 700);
              EXPECT_EQ(line, second.substr(1) + "\n");
              const char *const grown = line;
              EXPECT_EQ(forerun_pre_getline(&line, &bytes, stream), 7);
              EXPECT_EQ(line, third);
              EXPECT_EQ(line, grown);
              EXPECT_EQ(forerun_pre_getline(&line, &bytes, stream), -1);
              forerun_pre_fclose(stream);
            }),
            kReturned);
}

/// A conversion, scanned from both streams into targets that are compared as bytes.
void scanTheSame(Both &both, const std::string &format) {
  using Target = std::array<char, 800>;
  static std::array<Target, 2> ours, libcs;
  ours = libcs = {};
  // The formats have two arguments at most.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int one = forerun_pre_fscanf(both.ours, format.c_str(), ours[0].data(), ours[1].data());
  const int other = std::fscanf(both.libcs, format.c_str(), libcs[0].data(), libcs[1].data());
#pragma GCC diagnostic pop
  EXPECT_EQ(one, other) << format;
  EXPECT_TRUE(one <= 0 || ours == libcs) << format;
  SCOPED_TRACE(format);
  both.expectSamePlace();
}

const std::vector<std::string> kFormats{
    "%d",   "%d %d", "%d,%d", "%i",   "%u",     "%x",      "%o",     "%ld",   "%lld", "%hd",
    "%hhd", "%3d",   "%*d%d", "%f",   "%lf",    "%g %g",   "%5lf",   "%a",    "%s",   "%5s",
    "%s%s", "%c",    "%3c",   "%c%c", "%[a-f]", "%[^,\n]", "%4[^ ]", "%[]x]", " ",    "a%d",
    "%d%%", "%d%n",  "%*s%d", "%s\n", "%d:%d",  "%zu",     "%lx%ls"};

TEST_F(StreamStandInsTest, ScansWhatLibcScans) {
  EXPECT_EQ(onPreThread([this] {
              for (int round = 0; round < 2000 && !HasFailure(); ++round) {
                const std::string text =
                    randomText(random_, "0123456789012345 \n\t,.-+exabf:%]", 60);
                SCOPED_TRACE(testing::PrintToString(text));
                fill(text);
                Both both(path_);
                for (int call = 0; call < 6 && !HasFailure(); ++call) {
                  SCOPED_TRACE(call);
                  scanTheSame(both, kFormats[random_() % (kFormats.size() - 1)]);
                }
              }
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, NumbersThatBeginLikeNumbersAreReadAsFarAsLibcReads) {
  EXPECT_EQ(onPreThread([this] {
              for (const char *text :
                   {"nan", "na",   "nano", "inf",     "infi",  "infinity", "-inf", "in",  "0x",
                    "0xg", "0x1p", "0x.8", ".",       "-.",    "-.e5",     "1e",   "1e+", "1e+z",
                    "+",   "--1",  "-x",   "0x1.8p1", "1.5.5", "-0x",      "i",    "n5"})
                for (const char *format : {"%f", "%lf", "%d", "%i", "%x", "%2f", "%1d", "%3lf"}) {
                  SCOPED_TRACE(std::string(text) + " " + format);
                  fill(std::string(text) + " 7");
                  Both both(path_);
                  scanTheSame(both, format);
                  scanTheSame(both, "%s");
                  fill(text);
                  Both atTheEnd(path_);
                  scanTheSame(atTheEnd, format);
                  scanTheSame(atTheEnd, "%c");
                }
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, LongWordsAndLongFilesAreScannedWhole) {
  EXPECT_EQ(onPreThread([this] {
              std::string text(500, ' ');
              for (int number = 0; number < 3000; ++number)
                text += std::to_string(number) + (number % 9 == 0 ? std::string(300, '\n') : " ");
              fill(text + std::string(700, 'w'));
              Both both(path_);
              for (int number = 0; number < 3000 && !HasFailure(); ++number)
                scanTheSame(both, "%d");
              scanTheSame(both, "%s");
              scanTheSame(both, "%s");
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, AFileThatIsNotThereGivesNullAsLibcs) {
  EXPECT_EQ(onPreThread([] {
              EXPECT_EQ(forerun_pre_fopen("/nowhere/at/all", "r"), nullptr);
              EXPECT_EQ(forerun_pre_fopen("/", "x"), nullptr);
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, AFileOpenedForWritingIsNotTouched) {
  fill("as it was");
  EXPECT_EQ(onPreThread([this] {
              FILE *stream = forerun_pre_fopen(path_.c_str(), "w");
              ASSERT_NE(stream, nullptr);
              EXPECT_EQ(forerun_pre_fgetc(stream), EOF);
              EXPECT_EQ(forerun_pre_fclose(stream), 0);
            }),
            kReturned);
  std::string text;
  std::getline(std::ifstream(path_), text);
  EXPECT_EQ(text, "as it was");
}

TEST_F(StreamStandInsTest, FilesThatDoNotSayHowLongTheyAreAreReadWhole) {
  EXPECT_EQ(onPreThread([] {
              Both both("/proc/self/maps");
              std::array<char, 100> line{};
              int lines = 0;
              while (forerun_pre_fgets(line.data(), line.size(), both.ours) != nullptr)
                ++lines;
              EXPECT_GT(lines, 10);
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, APipeEndsTheThreadAndNothingOfItIsRead) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[0]);
  EXPECT_EQ(onPreThread([&] { forerun_pre_fopen(path.c_str(), "r"); }),
            "it reached a stream that is not a file");
  char c = 0;
  EXPECT_EQ(read(ends[0], &c, 1), 1);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(StreamStandInsTest, AStreamOfSomebodyElseIsAtItsEnd) {
  EXPECT_EQ(onPreThread([] {
              std::array<char, 4> data{};
              EXPECT_EQ(forerun_pre_fgetc(stdin), EOF);
              EXPECT_EQ(forerun_pre_fgets(data.data(), 4, stdin), nullptr);
              EXPECT_EQ(forerun_pre_fread(data.data(), 1, 4, stdin), 0U);
              EXPECT_NE(forerun_pre_feof(stdin), 0);
              EXPECT_EQ(forerun_pre_fclose(stdin), EOF);
            }),
            kReturned);
}

TEST_F(StreamStandInsTest, WhatCannotBeTakenApartEndsTheThread) {
  fill("1 2");
  EXPECT_EQ(onPreThread([this] {
              FILE *stream = forerun_pre_fopen(path_.c_str(), "r");
              char *text = nullptr;
              forerun_pre_fscanf(stream, "%ms", &text);
            }),
            "it reached a format of scanf that it cannot parse");
}

} // namespace
