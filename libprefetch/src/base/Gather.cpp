// SPDX-License-Identifier: Apache-2.0
#include "base/Gather.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

namespace forerun {
namespace {

constexpr int kTag = 1;
constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 16;

/// Calls \p each(offset, count) for the pieces of \p bytes.
template <typename Each> void inPieces(std::uint64_t bytes, const Each &each) {
  for (std::uint64_t offset = 0; offset < bytes; offset += kPieceBytes)
    each(offset, static_cast<int>(std::min(kPieceBytes, bytes - offset)));
}

void send(const std::vector<char> &message, MPI_Comm world) {
  const std::uint64_t bytes = message.size();
  PMPI_Send(&bytes, 1, MPI_UINT64_T, 0, kTag, world);
  inPieces(bytes, [&](std::uint64_t offset, int count) {
    PMPI_Send(message.data() + offset, count, MPI_CHAR, 0, kTag, world);
  });
}

/// Empty if there is no memory for it; even then its sender does not wait.
std::vector<char> receive(int rank, MPI_Comm world) {
  static std::array<char, kPieceBytes> nowhere;
  std::uint64_t bytes = 0;
  PMPI_Recv(&bytes, 1, MPI_UINT64_T, rank, kTag, world, MPI_STATUS_IGNORE);
  std::vector<char> message;
  try {
    message.resize(bytes);
  } catch (const std::bad_alloc &) {
    message.clear();
  }
  inPieces(bytes, [&](std::uint64_t offset, int count) {
    char *to = message.empty() ? nowhere.data() : message.data() + offset;
    PMPI_Recv(to, count, MPI_CHAR, rank, kTag, world, MPI_STATUS_IGNORE);
  });
  return message;
}

} // namespace

void gatherToFirst(const std::vector<char> &own, MPI_Comm world,
                   const std::function<void(int, const std::vector<char> &)> &take) {
  int rank = 0, ranks = 1;
  PMPI_Comm_rank(world, &rank);
  PMPI_Comm_size(world, &ranks);
  if (rank != 0) {
    send(own, world);
    return;
  }
  take(0, own);
  for (int other = 1; other < ranks; ++other)
    take(other, receive(other, world));
}

} // namespace forerun
