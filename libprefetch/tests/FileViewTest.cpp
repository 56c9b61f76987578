// SPDX-License-Identifier: Apache-2.0
#include "types/FileView.h"

#include "RandomTypes.h"
#include "TypeLedger.h"
#include "types/DatatypeDecoder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace forerun {
namespace {

using test::RandomTypes;
using test::Type;
using testing::ElementsAre;
using Range = std::pair<std::uint64_t, std::uint64_t>;

std::vector<Range> ranges(const FileView &view, std::uint64_t start, std::uint64_t bytes) {
  std::vector<Range> found;
  view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
    found.emplace_back(offset, length);
    return true;
  });
  return found;
}

Type vectorOf(int count, int length, int stride, MPI_Datatype child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, length, stride, child, &type);
  return Type(type);
}

Type resizedTo(MPI_Datatype child, MPI_Aint lowerBound, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(child, lowerBound, extent, &type);
  return Type(type);
}

FileView viewOf(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  FileView view;
  view.set(displacement, etype, filetype);
  return view;
}

/// A file opened through MPI-IO, removed at the end.
class RealFile {
public:
  RealFile() : path_((std::filesystem::temp_directory_path() / "forerun-view-XXXXXX").string()) {
    ::close(::mkstemp(path_.data()));
    MPI_File_open(MPI_COMM_SELF, path_.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &fh_);
  }
  ~RealFile() {
    MPI_File_close(&fh_);
    std::filesystem::remove(path_);
  }
  MPI_File get() const { return fh_; }
  /// Otherwise holes that MPI-IO reads past the file's end, and writes back, would contain
  /// anything.
  void fillWithZeros(std::size_t size) const {
    std::filesystem::resize_file(path_, 0);
    std::filesystem::resize_file(path_, size);
  }
  std::vector<char> bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

private:
  std::string path_;
  MPI_File fh_ = MPI_FILE_NULL;
};

/// Bytes none of which is 0, unlike those of a hole.
std::vector<char> randomBytes(RandomTypes &random, std::size_t count) {
  std::vector<char> bytes(count);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random.from(1, 127)); });
  return bytes;
}

std::vector<char> imageOf(const FileView &view, std::uint64_t start,
                          const std::vector<char> &bytes) {
  std::vector<char> image;
  std::size_t done = 0;
  view.forEachRange(start, bytes.size(), [&](std::uint64_t offset, std::uint64_t length) {
    image.resize(std::max<std::size_t>(image.size(), offset + length), 0);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(done), length,
                image.begin() + static_cast<std::ptrdiff_t>(offset));
    done += length;
    return true;
  });
  return image;
}

std::uint64_t seedOfThisRun() {
  const char *given = std::getenv("FORERUN_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
}

TEST(FileView, WritesOfRealMpiIoThroughRandomViewsLandWhereTheViewSays) {
  const std::uint64_t seed = seedOfThisRun();
  std::cout << "FORERUN_TEST_SEED=" << seed << '\n';
  RandomTypes random(seed, RandomTypes::Use::File);
  const RealFile file;
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", type " << i);
    const Type etype = random.etype();
    const Type filetype = random.derived(etype.get(), 5);
    SCOPED_TRACE(etype.describe() + " in " + filetype.describe());
    if (filetype.size() == 0)
      continue;
    const MPI_Offset displacement = random.upTo(200);
    const std::int64_t etypes = filetype.size() / etype.size();
    const MPI_Offset start = random.upTo(3 * etypes);
    const std::vector<char> data =
        randomBytes(random, static_cast<std::size_t>(random.from(1, 3 * etypes) * etype.size()));

    const FileView view = viewOf(displacement, etype.get(), filetype.get());
    ASSERT_TRUE(view.known());
    const auto startByte = static_cast<std::uint64_t>(start * etype.size());
    const std::vector<char> expected = imageOf(view, startByte, data);

    file.fillWithZeros(expected.size());
    ASSERT_EQ(MPI_File_set_view(file.get(), displacement, etype.get(), filetype.get(), "native",
                                MPI_INFO_NULL),
              MPI_SUCCESS);
    ASSERT_EQ(MPI_File_write_at(file.get(), start, data.data(), static_cast<int>(data.size()),
                                MPI_BYTE, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    ASSERT_EQ(expected, file.bytes());
    ASSERT_EQ(test::datatypesOwed(), 0);
  }
}

TEST(FileView, RandomViewsLieWhereMpiUnpacksTheirFiletypes) {
  const std::uint64_t seed = seedOfThisRun();
  std::cout << "FORERUN_TEST_SEED=" << seed << '\n';
  RandomTypes random(seed, RandomTypes::Use::File);
  for (int i = 0; i < 8000; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", type " << i);
    const Type etype = random.etype();
    const Type filetype = random.derived(etype.get(), 5);
    SCOPED_TRACE(etype.describe() + " in " + filetype.describe());
    const auto instances = static_cast<int>(random.from(1, 3));
    const std::vector<char> data =
        randomBytes(random, static_cast<std::size_t>(instances * filetype.size()));
    const FileView view = viewOf(0, etype.get(), filetype.get());
    ASSERT_TRUE(view.known());
    const std::vector<char> image = imageOf(view, 0, data);
    std::vector<char> unpacked(image.size() + 1, 0); // never a null buffer
    int position = 0;
    MPI_Unpack(data.data(), static_cast<int>(data.size()), &position, unpacked.data(), instances,
               filetype.get(), MPI_COMM_SELF);
    unpacked.pop_back();
    ASSERT_EQ(image, unpacked);
    ASSERT_EQ(test::datatypesOwed(), 0);
  }
}

TEST(FileView, RangesThatTouchAreOneAndTheirLengthsAddUp) {
  RandomTypes random(7, RandomTypes::Use::File);
  for (int i = 0; i < 2000; ++i) {
    const Type filetype = random.derived(MPI_BYTE, 5);
    const FileView view = viewOf(3, MPI_BYTE, filetype.get());
    const auto start = static_cast<std::uint64_t>(random.upTo(1000));
    const auto bytes = static_cast<std::uint64_t>(random.upTo(1000));
    std::uint64_t sum = 0;
    std::uint64_t end = 0;
    for (const auto &[offset, length] : ranges(view, start, bytes)) {
      EXPECT_NE(offset, end);
      end = offset + length;
      sum += length;
    }
    EXPECT_EQ(sum, filetype.size() == 0 ? 0 : bytes) << i;
  }
}

TEST(FileView, AfterOpenItIsTheFileItself) {
  const FileView view;
  EXPECT_THAT(ranges(view, 5, 7), ElementsAre(Range(5, 7)));
  EXPECT_EQ(view.etypeBytes(), 1U);
}

TEST(FileView, ANamedFiletypeOrAContiguousOneIsOneRangeWhateverTheLength) {
  EXPECT_THAT(ranges(viewOf(16, MPI_DOUBLE, MPI_DOUBLE), 8, 1U << 30),
              ElementsAre(Range(24, 1U << 30)));
  const Type wide = vectorOf(10, 4, 4, MPI_INT);
  EXPECT_THAT(ranges(viewOf(0, MPI_INT, wide.get()), 100, 1000), ElementsAre(Range(100, 1000)));
}

TEST(FileView, HolesOfTheFiletypeAreLeftOut) {
  const Type everyOther = vectorOf(2, 1, 2, MPI_INT); // ints 0 and 2, extent 3 ints
  const FileView view = viewOf(100, MPI_INT, everyOther.get());
  EXPECT_THAT(ranges(view, 0, 16), ElementsAre(Range(100, 4), Range(108, 8), Range(120, 4)));
  EXPECT_THAT(ranges(view, 2, 4), ElementsAre(Range(102, 2), Range(108, 2)));
}

TEST(FileView, TheExtentOfAResizedFiletypeIsTheDistanceOfItsInstances) {
  const Type spread = resizedTo(MPI_INT, 0, 64);
  EXPECT_THAT(ranges(viewOf(0, MPI_INT, spread.get()), 4, 8),
              ElementsAre(Range(64, 4), Range(128, 4)));
}

TEST(FileView, ALowerBoundMovesNoByte) {
  const Type shifted = resizedTo(MPI_INT, 12, 16);
  EXPECT_THAT(ranges(viewOf(0, MPI_INT, shifted.get()), 0, 8),
              ElementsAre(Range(0, 4), Range(16, 4)));
}

TEST(FileView, BytesInFrontOfTheFileAreLeftOut) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int length = 2;
  const MPI_Aint before = -4;
  MPI_Type_create_hindexed(1, &length, &before, MPI_INT, &type);
  const Type negative(type);
  EXPECT_THAT(ranges(viewOf(0, MPI_INT, negative.get()), 0, 8), ElementsAre(Range(0, 4)));
}

TEST(FileView, AFiletypeWithoutDataHasNoRanges) {
  const Type empty = vectorOf(0, 1, 2, MPI_INT);
  const FileView view = viewOf(0, MPI_INT, empty.get());
  EXPECT_TRUE(view.known());
  EXPECT_THAT(ranges(view, 0, 100), ElementsAre());
}

TEST(FileView, OffsetsBeyondFourGigabytesAreRight) {
  const Type pages = vectorOf(1 << 20, 1, 1 << 13, MPI_DOUBLE); // 64 GiB, 8 bytes in 64 KiB
  const FileView view = viewOf(0, MPI_DOUBLE, pages.get());
  EXPECT_THAT(ranges(view, std::uint64_t{700000} * 8, 8),
              ElementsAre(Range(std::uint64_t{700000} << 16, 8)));
}

TEST(FileView, AVectorOfAnyLengthCostsNoMoreThanAShortOne) {
  const Type longVector = vectorOf(1 << 30, 1, 3, MPI_BYTE);
  const FileView view = viewOf(0, MPI_BYTE, longVector.get());
  ASSERT_TRUE(view.known());
  EXPECT_THAT(ranges(view, 1000000, 2), ElementsAre(Range(3000000, 1), Range(3000003, 1)));
}

TEST(FileView, AnOverfullFiletypeMakesTheViewUnknownAndHasNoRanges) {
  constexpr int kBlocks = (1 << 20) + 2;
  std::vector<int> lengths(kBlocks);
  std::vector<int> displacements(kBlocks);
  for (int i = 0; i < kBlocks; ++i) {
    lengths[static_cast<std::size_t>(i)] = 1 + i % 2;
    displacements[static_cast<std::size_t>(i)] = 4 * i;
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(kBlocks, lengths.data(), displacements.data(), MPI_BYTE, &type);
  const Type irregular(type);
  const FileView view = viewOf(0, MPI_BYTE, irregular.get());
  EXPECT_FALSE(view.known());
  EXPECT_THAT(ranges(view, 0, 100), ElementsAre());
}

TEST(FileView, AnInvalidDatatypeMakesTheViewUnknown) {
  EXPECT_FALSE(viewOf(0, MPI_DATATYPE_NULL, MPI_INT).known());
  EXPECT_FALSE(viewOf(0, MPI_INT, MPI_DATATYPE_NULL).known());
  EXPECT_FALSE(viewOf(-1, MPI_INT, MPI_INT).known());
}

TEST(FileView, ANewViewReplacesTheOldOneWhole) {
  const Type everyOther = vectorOf(2, 1, 2, MPI_INT);
  FileView view = viewOf(100, MPI_INT, everyOther.get());
  view.set(8, MPI_DOUBLE, MPI_DOUBLE);
  EXPECT_THAT(ranges(view, 0, 100), ElementsAre(Range(8, 100)));
  view.set(0, MPI_INT, MPI_DATATYPE_NULL);
  view.set(4, MPI_INT, everyOther.get());
  EXPECT_THAT(ranges(view, 0, 8), ElementsAre(Range(4, 4), Range(12, 4)));
}

TEST(FileView, FirstByteAtOrBehindIsTheFirstThatIsNotInFront) {
  const Type everyOther = vectorOf(2, 1, 2, MPI_INT); // 4 bytes at 100, 108, 112, 120, 124, ...
  const FileView view = viewOf(100, MPI_INT, everyOther.get());
  EXPECT_EQ(view.firstByteAtOrAfter(0), 0U);
  EXPECT_EQ(view.firstByteAtOrAfter(101), 1U);
  EXPECT_EQ(view.firstByteAtOrAfter(104), 4U);
  EXPECT_EQ(view.firstByteAtOrAfter(117), 12U);
  EXPECT_EQ(FileView().firstByteAtOrAfter(1000), 1000U);
}

} // namespace
} // namespace forerun
