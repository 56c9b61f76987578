// SPDX-License-Identifier: Apache-2.0
#include "Plan.h"
#include "../stress/Random.h"

#include <algorithm>
#include <array>

namespace litmus {

namespace {

using stress::Random;

constexpr int kCellsOfAFile = 10;
constexpr int kMaxHandles = 5;

class Planner {
public:
  Planner(std::uint64_t seed, int ranks)
      : random_(seed, 1), ranks_(ranks), program_(layOut()), rules_(makeRules()),
        posted_(static_cast<std::size_t>(ranks)) {}

  Program plan() {
    const int rounds = static_cast<int>(random_.between(3, 10));
    for (int number = 0; number < rounds; ++number)
      addRound(number + 1 == rounds);
    return std::move(program_);
  }

private:
  // ---- files and handles ----

  /// From a few bytes in one sector to more than a page, including neighbours in one sector.
  std::uint64_t cellBytes() {
    switch (random_.below(5)) {
    case 0:
      return random_.between(1, 7);
    case 1:
      return 4096;
    case 2:
      return random_.between(1, 5000);
    case 3:
      return 65536;
    default:
      return random_.between(1, 100'000);
    }
  }

  Program layOut() {
    Program program;
    for (int file = 0; file < kFiles; ++file) {
      std::uint64_t end = 0;
      for (int n = 0; n < kCellsOfAFile; ++n) {
        program.cells.push_back({file, end, cellBytes()});
        end += program.cells.back().length;
      }
      program.fileBytes.push_back(end);
    }
    const bool nfs = random_.oneIn(8);
    const auto handles = random_.between(2, kMaxHandles);
    for (std::uint64_t n = 0; n < handles; ++n)
      program.handles.push_back(drawHandle(nfs));
    return program;
  }

  Handle drawHandle(bool nfs) {
    static constexpr std::array kCached = {Cached::On,   Cached::On,  Cached::On,
                                           Cached::Auto, Cached::Off, Cached::Without};
    Handle handle;
    handle.file = random_.oneIn(3) ? 1 : 0;
    handle.world = random_.oneIn(2);
    handle.nfs = nfs;
    handle.cached = kCached.at(random_.below(kCached.size()));
    for (int rank = 0; rank < ranks_; ++rank)
      handle.access.push_back(handle.world && rank > 0 ? handle.access[0] : drawAccess());
    return handle;
  }

  Access drawAccess() {
    const auto draw = random_.below(6);
    return draw == 0 ? Access::WriteOnly : draw == 1 ? Access::ReadOnly : Access::ReadWrite;
  }

  Rules makeRules() const {
    std::vector<int> fileOfHandle, fileOfCell;
    for (const Handle &handle : program_.handles)
      fileOfHandle.push_back(handle.file);
    for (const Cell &cell : program_.cells)
      fileOfCell.push_back(cell.file);
    return {ranks_, std::move(fileOfHandle), std::move(fileOfCell)};
  }

  // ---- rounds ----

  void addRound(bool last) {
    round_ = {};
    round_.operations.resize(static_cast<std::size_t>(ranks_));
    for (auto times = random_.below(3); times > 0; --times)
      addCollective();
    if (random_.oneIn(2))
      eachHandle([&](int handle) { addCollectiveOf(handle, Action::Sync); });
    for (int rank = 0; rank < ranks_; ++rank)
      addLocal(rank, last);
    // What others write in the round may be seen at any point of it.
    for (int rank = 0; rank < ranks_; ++rank)
      for (Operation &operation : of(rank))
        for (Piece &piece : operation.pieces)
          piece.versions = rules_.concurrently(piece.versions, rank, piece.cell);
    rules_.endRound();
    program_.rounds.push_back(std::move(round_));
  }

  template <typename Act> void eachHandle(const Act &act) const {
    for (int handle = 0; handle < static_cast<int>(program_.handles.size()); ++handle)
      act(handle);
  }

  void addCollective() {
    static constexpr std::array kActions = {Action::Sync,     Action::Reopen,   Action::ReadAll,
                                            Action::WriteAll, Action::AtomicOn, Action::AtomicOff};
    addCollectiveOf(drawHandleNumber(), kActions.at(random_.below(kActions.size())));
  }

  /// An operation on a handle that all ranks share, if the action makes sense there.
  void addCollectiveOf(int handle, Action action) {
    const Handle &it = program_.handles[static_cast<std::size_t>(handle)];
    if (!it.world || (isSynchronising(action) && isBusy(handle)) ||
        (action == Action::ReadAll && !mayRead(0, handle)) ||
        (action == Action::WriteAll && !mayWrite(0, handle)))
      return;
    const Name name = drawName();
    for (int rank = 0; rank < ranks_; ++rank) {
      if (action == Action::ReadAll)
        addRead(rank, handle, Action::ReadAll);
      else if (action == Action::WriteAll)
        addCollectiveWrite(rank, handle);
      else
        addSynchronising(rank, handle, action, name);
    }
    if (action == Action::AtomicOn || action == Action::AtomicOff)
      rules_.setAtomic(handle, action == Action::AtomicOn);
    if (action == Action::Reopen)
      rules_.setAtomic(handle, false);
  }

  void addCollectiveWrite(int rank, int handle) {
    if (!addWrite(rank, handle, Action::WriteAll))
      of(rank).push_back({.action = Action::WriteAll, .handle = handle, .cell = kNothing});
  }

  void addLocal(int rank, bool last) {
    if (random_.oneIn(2))
      syncOwn(rank);
    for (auto left = random_.between(3, 14); left > 0; --left)
      addOne(rank);
    if (last || random_.oneIn(2))
      waitForAll(rank);
    if (random_.oneIn(2))
      syncOwn(rank);
  }

  void syncOwn(int rank) {
    eachHandle([&](int handle) { addOwnSynchronising(rank, handle, Action::Sync); });
  }

  void addOne(int rank) {
    const int handle = drawHandleNumber();
    const auto draw = random_.below(20);
    if (random_.oneIn(16))
      addBurst(rank, handle, drawHandleNumber());
    else if (draw < 8)
      addRead(rank, handle, Action::Read);
    else if (draw < 10)
      addRead(rank, handle, Action::PrefetchedRead);
    else if (draw < 13)
      addRead(rank, handle, Action::Announce);
    else if (draw < 15)
      addWrite(rank, handle, Action::Write);
    else if (draw < 17)
      addWrite(rank, handle, Action::Post);
    else if (draw < 18)
      waitForOne(rank);
    else
      addOwnSynchronising(rank, handle,
                          draw == 18         ? Action::Sync
                          : random_.oneIn(2) ? Action::Reopen
                                             : Action::Resize);
  }

  // ---- operations ----

  static bool isSynchronising(Action action) {
    return action != Action::ReadAll && action != Action::WriteAll;
  }

  void addSynchronising(int rank, int handle, Action action, Name name) {
    of(rank).push_back({.action = action, .handle = handle, .name = name});
    if (action == Action::Sync)
      rules_.sync(rank, handle);
    if (action == Action::Reopen) {
      rules_.close(rank, handle);
      rules_.open(rank, handle);
    }
  }

  /// An operation on one of the rank's own handles.
  void addOwnSynchronising(int rank, int handle, Action action) {
    if (program_.handles[static_cast<std::size_t>(handle)].world || isBusy(handle, rank) ||
        (action == Action::Resize && !mayWrite(rank, handle)))
      return;
    addSynchronising(rank, handle, action, drawName());
  }

  /// Part of a cell, a whole cell, or several consecutive cells.
  void addRead(int rank, int handle, Action action) {
    if (action != Action::Announce && !mayRead(rank, handle))
      return;
    const int first = drawCell(handle);
    int last = first;
    while (random_.oneIn(3) && (last + 1) % kCellsOfAFile != 0)
      ++last;
    addReadOf(rank, handle, action, first, last, random_.oneIn(2));
  }

  /// From \p first to \p last; unless \p whole, not from the very beginning.
  void addReadOf(int rank, int handle, Action action, int first, int last, bool whole) {
    const Cell &begin = program_.cells[static_cast<std::size_t>(first)];
    const std::uint64_t skip = whole ? 0 : random_.below(begin.length);
    const Cell &end = program_.cells[static_cast<std::size_t>(last)];
    const std::uint64_t offset = begin.offset + skip;
    std::uint64_t length = end.offset + end.length - offset;
    if (!whole && last == first)
      length = random_.between(1, length);
    Operation read{.action = action, .handle = handle, .offset = offset, .length = length};
    if (action != Action::Announce)
      for (int cell = first; cell <= last; ++cell) {
        const Cell &it = program_.cells[static_cast<std::size_t>(cell)];
        const std::uint64_t from = std::max(offset, it.offset);
        const std::uint64_t to = std::min(offset + length, it.offset + it.length);
        const bool forOthers = action == Action::ReadAll && !mayWrite(rank, handle);
        read.pieces.push_back({from, to - from, cell,
                               forOthers ? rules_.allowedToAnyRank(handle, cell)
                                         : rules_.allowed(rank, handle, cell)});
      }
    of(rank).push_back(std::move(read));
  }

  /// Many non-blocking writes at once, so that some are in flight for a while; meanwhile another
  /// handle is synced, and what is being written is read through it before and after completion.
  void addBurst(int rank, int writer, int reader) {
    const int file = program_.handles[static_cast<std::size_t>(writer)].file;
    if (writer == reader || program_.handles[static_cast<std::size_t>(reader)].file != file)
      return;
    const int first = file * kCellsOfAFile;
    for (int cell = first; cell < first + kCellsOfAFile; ++cell)
      addWriteOf(rank, writer, Action::Post, cell);
    addOwnSynchronising(rank, reader, Action::Sync);
    if (random_.oneIn(2))
      addReadOf(rank, reader, Action::Announce, first, first + kCellsOfAFile - 1, true);
    for (const bool waited : {false, true}) {
      if (waited)
        waitForAll(rank);
      for (int cell = first + kCellsOfAFile - 1; mayRead(rank, reader) && cell >= first; --cell)
        addReadOf(rank, reader, Action::Read, cell, cell, true);
    }
  }

  bool addWrite(int rank, int handle, Action action) {
    return addWriteOf(rank, handle, action, drawCell(handle));
  }

  bool addWriteOf(int rank, int handle, Action action, int cell) {
    if (!mayWrite(rank, handle) || !rules_.mayWrite(rank, handle, cell))
      return false;
    const Cell &it = program_.cells[static_cast<std::size_t>(cell)];
    const int version =
        action == Action::Post ? rules_.post(rank, handle, cell) : rules_.write(rank, handle, cell);
    of(rank).push_back({.action = action,
                        .handle = handle,
                        .offset = it.offset,
                        .length = it.length,
                        .cell = cell,
                        .version = version});
    if (action == Action::Post)
      posted(rank).push_back({handle, cell});
    return true;
  }

  void waitForOne(int rank) {
    if (posted(rank).empty())
      return;
    const Posted done = posted(rank).front();
    posted(rank).erase(posted(rank).begin());
    of(rank).push_back({.action = Action::Wait, .handle = done.handle, .cell = done.cell});
    rules_.complete(done.cell);
  }
  void waitForAll(int rank) {
    while (!posted(rank).empty())
      waitForOne(rank);
  }

  // ---- what is drawn, and from what ----

  struct Posted {
    int handle, cell;
  };
  static constexpr int kNothing = -1;

  int drawHandleNumber() { return static_cast<int>(random_.below(program_.handles.size())); }
  Name drawName() { return static_cast<Name>(random_.below(5)); }
  int drawCell(int handle) {
    return program_.handles[static_cast<std::size_t>(handle)].file * kCellsOfAFile +
           static_cast<int>(random_.below(kCellsOfAFile));
  }
  Access access(int rank, int handle) const {
    return program_.handles[static_cast<std::size_t>(handle)]
        .access[static_cast<std::size_t>(rank)];
  }
  bool mayRead(int rank, int handle) const { return access(rank, handle) != Access::WriteOnly; }
  bool mayWrite(int rank, int handle) const { return access(rank, handle) != Access::ReadOnly; }
  /// Whether a non-blocking write through it is in flight.
  bool isBusy(int handle, int rank) {
    return std::ranges::any_of(posted(rank),
                               [&](const Posted &each) { return each.handle == handle; });
  }
  bool isBusy(int handle) {
    for (int rank = 0; rank < ranks_; ++rank)
      if (isBusy(handle, rank))
        return true;
    return false;
  }
  std::vector<Operation> &of(int rank) { return round_.operations[static_cast<std::size_t>(rank)]; }
  std::vector<Posted> &posted(int rank) { return posted_[static_cast<std::size_t>(rank)]; }

  Random random_;
  int ranks_;
  Program program_;
  Rules rules_;
  Round round_;
  std::vector<std::vector<Posted>> posted_; ///< of each rank
};

} // namespace

Program plan(std::uint64_t seed, int ranks) { return Planner(seed, ranks).plan(); }

} // namespace litmus
