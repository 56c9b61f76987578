// SPDX-License-Identifier: Apache-2.0
#include "Rank.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace stress {

namespace {

/// A third of \p op: the first, the second or the rest.
Operation third(const Operation &op, std::uint64_t which) {
  Operation part = op;
  const std::uint64_t length = op.count / 3;
  part.start = op.start + which * length;
  part.count = which == 2 ? op.count - 2 * length : length;
  part.stamp = op.stamp + which;
  return part;
}

/// Stock ROMIO's non-blocking reads report a full count, even past the end of the file.
bool isNonBlocking(Action action) {
  return action == Action::IreadAt || action == Action::IreadAtAll;
}

MPI_Offset offsetOf(const Operation &op) { return static_cast<MPI_Offset>(op.start); }

} // namespace

void Rank::carryOut(const Operation &op) {
  switch (op.action) {
  case Action::IreadAt:
    return readThree(op);
  case Action::PrefetchedBytes:
    return prefetchBytes(op);
  case Action::ReadShared:
  case Action::ReadOrdered:
    return readThroughSharedPointer(op);
  case Action::IwriteAt:
    return writeThree(op);
  case Action::PrefetchAndRead:
    file_.prefetch(op);
    return read(op);
  default:
    return isWrite(op.action) ? write(op) : read(op);
  }
}

Buffer Rank::newBuffer(const Operation &op) const { return {view_.etypeBytes, op.count, op.gaps}; }

void Rank::seek(const Operation &op) const {
  check(MPI_File_seek(file_.handle(), offsetOf(op), MPI_SEEK_SET), "seek");
}

void Rank::read(const Operation &op) {
  Buffer buffer = newBuffer(op);
  const MPI_File fh = file_.handle();
  MPI_Status status{};
  MPI_Request request = MPI_REQUEST_NULL;
  switch (op.action) {
  case Action::Read:
    seek(op);
    check(MPI_File_read(fh, buffer.data(), buffer.count(), buffer.type(), &status), "read");
    break;
  case Action::ReadAll:
    seek(op);
    check(MPI_File_read_all(fh, buffer.data(), buffer.count(), buffer.type(), &status), "read_all");
    break;
  case Action::ReadAtAll:
    check(MPI_File_read_at_all(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type(),
                               &status),
          "read_at_all");
    break;
  case Action::SplitReadAtAll:
    check(
        MPI_File_read_at_all_begin(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type()),
        "read_at_all_begin");
    check(MPI_File_read_at_all_end(fh, buffer.data(), &status), "read_at_all_end");
    break;
  case Action::IreadAtAll:
    check(MPI_File_iread_at_all(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type(),
                                &request),
          "iread_at_all");
    check(MPI_Wait(&request, &status), "wait");
    break;
  default:
    check(MPI_File_read_at(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type(), &status),
          "read_at");
    break;
  }
  judge(op, buffer, status);
}

void Rank::readThree(const Operation &op) {
  const std::array parts{third(op, 0), third(op, 1), third(op, 2)};
  std::array buffers{newBuffer(parts[0]), newBuffer(parts[1]), newBuffer(parts[2])};
  std::array<MPI_Request, 3> requests{};
  std::array<MPI_Status, 3> statuses{};
  for (std::size_t i = 0; i < parts.size(); ++i)
    check(MPI_File_iread_at(file_.handle(), offsetOf(parts[i]), buffers[i].data(),
                            buffers[i].count(), buffers[i].type(), &requests[i]),
          "iread_at");
  int done = op.stamp % 2 == 0 ? 1 : 0;
  if (done != 0)
    check(MPI_Waitall(3, requests.data(), statuses.data()), "waitall");
  while (done == 0)
    check(MPI_Testall(3, requests.data(), &done, statuses.data()), "testall");
  for (std::size_t i = 0; i < parts.size(); ++i)
    judge(parts[i], buffers[i], statuses[i]);
}

/// Which turn a rank has at the shared pointer is unknown, but each turn is taken exactly once.
void Rank::readThroughSharedPointer(const Operation &op) {
  Buffer buffer = newBuffer(op);
  const MPI_File fh = file_.handle();
  check(MPI_File_seek_shared(fh, offsetOf(op), MPI_SEEK_SET), "seek_shared");
  MPI_Status status{};
  Operation turn = op;
  if (op.action == Action::ReadOrdered) {
    check(MPI_File_read_ordered(fh, buffer.data(), buffer.count(), buffer.type(), &status),
          "read_ordered");
    turn.start += static_cast<std::uint64_t>(rank_) * op.count;
    return judge(turn, buffer, status);
  }
  check(MPI_File_read_shared(fh, buffer.data(), buffer.count(), buffer.type(), &status),
        "read_shared");
  const std::vector<std::uint8_t> got = buffer.get(op.count);
  unsigned mine = 0; // every turn with these bytes: several if the file is zero there
  for (int i = 0; i < config_.ranks; ++i, turn.start += op.count)
    if (got == model_.read(view_, turn.start, op.count))
      mine |= 1U << static_cast<unsigned>(i);
  unsigned all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED, MPI_BOR, MPI_COMM_WORLD);
  tally_.comparedBytes += op.count;
  if (mine == 0)
    differ(op, "the bytes are those of no turn at the shared pointer");
  else if (all != (1U << static_cast<unsigned>(config_.ranks)) - 1)
    differ(op, "a turn at the shared pointer was nobody's");
}

void Rank::prefetchBytes(const Operation &op) {
  std::vector<std::uint8_t> bytes(op.count * view_.etypeBytes + 1);
  const std::size_t got = file_.prefetchBytes(op, bytes.data());
  bytes.resize(got);
  std::vector<std::uint8_t> expected =
      model_.read(view_, op.start * view_.etypeBytes, op.count * view_.etypeBytes);
  expected.resize(std::min(got, expected.size())); // it may return less, never anything else
  judgeBytes(op, bytes, expected);
  read(op);
}

void Rank::write(const Operation &op) {
  const std::vector<std::uint8_t> bytes = pattern(op.stamp, op.count * view_.etypeBytes);
  Buffer buffer = newBuffer(op);
  buffer.put(bytes);
  const MPI_File fh = file_.handle();
  MPI_Status status{};
  MPI_Request request = MPI_REQUEST_NULL;
  switch (op.action) {
  case Action::Write:
    seek(op);
    check(MPI_File_write(fh, buffer.data(), buffer.count(), buffer.type(), &status), "write");
    break;
  case Action::WriteAtAll:
    check(MPI_File_write_at_all(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type(),
                                &status),
          "write_at_all");
    break;
  case Action::SplitWriteAtAll:
    check(
        MPI_File_write_at_all_begin(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type()),
        "write_at_all_begin");
    check(MPI_File_write_at_all_end(fh, buffer.data(), &status), "write_at_all_end");
    break;
  case Action::IwriteAtAll:
    check(MPI_File_iwrite_at_all(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type(),
                                 &request),
          "iwrite_at_all");
    check(MPI_Wait(&request, &status), "wait");
    break;
  default:
    check(
        MPI_File_write_at(fh, offsetOf(op), buffer.data(), buffer.count(), buffer.type(), &status),
        "write_at");
    break;
  }
  model_.write(view_, op.start * view_.etypeBytes, bytes);
}

/// Two writes in flight, and between them a read of bytes that neither changes. They write what
/// `write` would: the model of the other ranks has one pattern for the whole range.
void Rank::writeThree(const Operation &op) {
  const std::uint64_t etype = view_.etypeBytes;
  const std::vector<std::uint8_t> bytes = pattern(op.stamp, op.count * etype);
  const std::array parts{third(op, 0), third(op, 1), third(op, 2)};
  std::array buffers{newBuffer(parts[0]), newBuffer(parts[1]), newBuffer(parts[2])};
  const MPI_File fh = file_.handle();
  std::array<MPI_Request, 2> requests{};
  for (std::size_t i = 0; i < parts.size(); ++i)
    buffers[i].put(
        std::span(bytes).subspan((parts[i].start - op.start) * etype, parts[i].count * etype));
  for (std::size_t i = 0; i < 2; ++i) {
    Buffer &buffer = buffers[2 * i];
    check(MPI_File_iwrite_at(fh, offsetOf(parts[2 * i]), buffer.data(), buffer.count(),
                             buffer.type(), &requests[i]),
          "iwrite_at");
  }
  Operation between = parts[1];
  between.action = Action::ReadAt;
  read(between);
  check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "waitall");
  check(MPI_File_write_at(fh, offsetOf(parts[1]), buffers[1].data(), buffers[1].count(),
                          buffers[1].type(), MPI_STATUS_IGNORE),
        "write_at");
  model_.write(view_, op.start * etype, bytes);
}

void Rank::judge(const Operation &op, const Buffer &buffer, const MPI_Status &status) {
  const std::vector<std::uint8_t> expected =
      model_.read(view_, op.start * view_.etypeBytes, op.count * view_.etypeBytes);
  int got = 0;
  MPI_Get_count(&status, MPI_BYTE, &got);
  const bool asked = static_cast<std::uint64_t>(got) == op.count * view_.etypeBytes;
  if (static_cast<std::size_t>(got) != expected.size() && !(asked && isNonBlocking(op.action)))
    differ(op, "the status says " + std::to_string(got) + " bytes, not " +
                   std::to_string(expected.size()));
  if (!buffer.gapsUntouched())
    differ(op, "bytes between the elements of the buffer were changed");
  judgeBytes(op, buffer.get(expected.size()), expected);
}

void Rank::judgeBytes(const Operation &op, const std::vector<std::uint8_t> &got,
                      const std::vector<std::uint8_t> &expected) {
  tally_.comparedBytes += expected.size();
  const auto [here, there] =
      std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  if (here != got.end() || there != expected.end())
    differ(op, "byte " + std::to_string(here - got.begin()) + " of " +
                   std::to_string(expected.size()) + " differs");
}

void Rank::differ(const Operation &op, const std::string &what) {
  constexpr std::uint64_t kMaxMessages = 5;
  if (++tally_.differences <= kMaxMessages)
    std::fprintf(stderr, "stress: %s (action %d, start %llu, count %llu): %s\n", where_.c_str(),
                 static_cast<int>(op.action), static_cast<unsigned long long>(op.start),
                 static_cast<unsigned long long>(op.count), what.c_str());
}

} // namespace stress
