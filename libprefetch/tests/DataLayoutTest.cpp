// SPDX-License-Identifier: Apache-2.0
#include "types/DataLayout.h"

#include "RandomTypes.h"
#include "TypeLedger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace forerun {
namespace {

using test::RandomTypes;
using test::Type;

/// Memory for \p count elements, with room around them that nothing may touch.
class Memory {
public:
  Memory(const Type &type, int count) {
    constexpr std::int64_t kMargin = 64;
    const std::int64_t last = (count - 1) * type.extent();
    const std::int64_t first = std::min<std::int64_t>(0, last) + type.trueLowerBound();
    const std::int64_t end = std::max<std::int64_t>(0, last) + type.trueUpperBound();
    start_ = static_cast<std::size_t>(std::max<std::int64_t>(0, -first) + kMargin);
    bytes_.assign(start_ + static_cast<std::size_t>(std::max<std::int64_t>(0, end) + kMargin), 0);
  }
  void *buffer() { return bytes_.data() + start_; }
  const std::vector<char> &bytes() const { return bytes_; }

private:
  std::size_t start_;
  std::vector<char> bytes_;
};

TEST(DataLayout, ScatteringRandomDatatypesInPiecesDoesWhatUnpackDoes) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  RandomTypes random(seed, RandomTypes::Use::Memory);
  for (int i = 0; i < 8000; ++i) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", type " << i);
    const Type base = random.etype();
    const Type type = random.derived(base.get(), 5);
    const auto count = static_cast<int>(random.from(1, 3));
    std::vector<char> data(static_cast<std::size_t>(count * type.size()));
    std::generate(data.begin(), data.end(), [&] { return static_cast<char>(random.from(1, 127)); });

    Memory expected(type, count);
    int position = 0;
    MPI_Unpack(data.data(), static_cast<int>(data.size()), &position, expected.buffer(), count,
               type.get(), MPI_COMM_SELF);
    Memory scattered(type, count);
    const DataLayout layout(count, type.get());
    ASSERT_TRUE(layout.known());
    ASSERT_EQ(layout.bytes(), data.size());
    for (std::size_t done = 0, piece = 0; done < data.size(); done += piece) {
      piece = std::min(static_cast<std::size_t>(random.from(1, 999)), data.size() - done);
      layout.scatter(scattered.buffer(), done, data.data() + done, piece,
                     [](void *, std::size_t) {});
    }
    ASSERT_EQ(scattered.bytes(), expected.bytes());
    ASSERT_EQ(test::datatypesOwed(), 0);
  }
}

TEST(DataLayout, BytesBehindTheLastElementAreNotWritten) {
  std::vector<char> buffer(8, 'x');
  const DataLayout layout(1, MPI_INT);
  layout.scatter(buffer.data(), 2, "abcdef", 6, [](void *, std::size_t) {});
  EXPECT_EQ(std::string(buffer.begin(), buffer.end()), "xxabxxxx");
}

TEST(DataLayout, ANegativeCountOrNoDatatypeIsNotKnown) {
  EXPECT_FALSE(DataLayout(-1, MPI_INT).known());
  EXPECT_FALSE(DataLayout(1, MPI_DATATYPE_NULL).known());
  EXPECT_EQ(dataBytes(-1, MPI_INT), 0U);
  EXPECT_EQ(dataBytes(1, MPI_DATATYPE_NULL), 0U);
}

TEST(DataLayout, TheSizesOfNamedDatatypesAreMpis) {
  for (const MPI_Datatype named :
       {MPI_BYTE, MPI_CHAR, MPI_INT, MPI_LONG, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_WCHAR, MPI_C_BOOL,
        MPI_OFFSET, MPI_COUNT, MPI_AINT, MPI_C_DOUBLE_COMPLEX, MPI_UINT16_T, MPI_SHORT_INT,
        MPI_LONG_DOUBLE_INT, MPI_DOUBLE_INT, MPI_2INT, MPI_PACKED}) {
    int size = 0;
    MPI_Type_size(named, &size);
    EXPECT_EQ(dataBytes(3, named), 3U * static_cast<unsigned>(size));
  }
}

} // namespace
} // namespace forerun
