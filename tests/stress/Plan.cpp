// SPDX-License-Identifier: Apache-2.0
#include "Plan.h"
#include "Random.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace stress {

namespace {

constexpr std::uint64_t kShared = ~std::uint64_t{0}; ///< the stream that all ranks draw alike

/// One phase while it is being planned.
class Planner {
public:
  Planner(const Config &config, int number)
      : config_(config), number_(static_cast<std::uint64_t>(number)),
        shared_(config.seed, number_, kShared) {}

  Phase plan();

private:
  bool writable() const { return phase_.kind == PhaseKind::Bytes || phase_.kind == PhaseKind::Own; }
  ViewLayout viewWithHoles(Random &random, std::uint64_t displacement, std::uint64_t bytes);
  void planViews();
  void planCollectives();
  Action collective();
  Action independent(Random &random, int rank) const;
  Operation operation(Random &random, int rank, Action action) const;
  Operation throughSharedPointer(std::size_t index, Action action) const;
  ByteRange area(Random &random, int rank, Action action) const;

  const Config &config_;
  std::uint64_t number_;
  Random shared_;
  Phase phase_;
  std::vector<std::uint64_t> chunkOf_; ///< by rank; chunks after those of the ranks are nobody's
  std::vector<int> collectiveAt_;      ///< by operation: 0, or 1 + Action
};

ViewLayout Planner::viewWithHoles(Random &random, std::uint64_t displacement, std::uint64_t bytes) {
  ViewLayout view;
  view.displacement = displacement;
  view.etypeBytes = std::array<std::uint64_t, 3>{1, 4, 8}[random.below(3)];
  view.blocks.clear();
  const std::uint64_t wanted = random.between(1, 6);
  std::uint64_t at = random.below(64);
  std::uint64_t visible = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint64_t length = random.between(1, 512);
    view.blocks.push_back({at * view.etypeBytes, length * view.etypeBytes});
    visible += length * view.etypeBytes;
    at += length + random.between(1, 512);
  }
  view.periodBytes = at * view.etypeBytes;
  view.visibleBytes = bytes / view.periodBytes * visible;
  return view;
}

void Planner::planViews() {
  for (int rank = 0; rank < config_.ranks; ++rank) {
    Random random(config_.seed, number_, static_cast<std::uint64_t>(rank) + 1);
    const std::uint64_t chunk = config_.chunkBytes;
    ViewLayout view;
    view.visibleBytes = config_.fullBytes();
    if (phase_.kind == PhaseKind::Own)
      view = viewWithHoles(random, chunkOf_[static_cast<std::size_t>(rank)] * chunk, chunk);
    if (phase_.kind == PhaseKind::Holes) {
      const std::uint64_t displacement = random.below(chunk);
      view = viewWithHoles(random, displacement, config_.fullBytes() - displacement);
    }
    phase_.views.push_back(view);
  }
}

/// Collectives are expensive if ranks outnumber cores: two in a phase, and a few more through the
/// shared pointer in the phase that is about it.
void Planner::planCollectives() {
  collectiveAt_.assign(static_cast<std::size_t>(config_.operations), 0);
  const int wanted = phase_.kind == PhaseKind::Shared ? 3 : 2;
  for (int i = 0; i < wanted && config_.operations > 0; ++i)
    collectiveAt_[shared_.below(collectiveAt_.size())] = 1 + static_cast<int>(collective());
}

Action Planner::collective() {
  constexpr std::array kReads{Action::ReadAtAll, Action::ReadAll, Action::SplitReadAtAll,
                              Action::IreadAtAll};
  constexpr std::array kWrites{Action::WriteAtAll, Action::SplitWriteAtAll, Action::IwriteAtAll};
  if (phase_.kind == PhaseKind::Shared)
    return shared_.oneIn(2) ? Action::ReadShared : Action::ReadOrdered;
  if (writable() && shared_.oneIn(2))
    return kWrites[shared_.below(kWrites.size())];
  return kReads[shared_.below(kReads.size())];
}

Action Planner::independent(Random &random, int rank) const {
  constexpr std::array kReads{Action::ReadAt, Action::Read, Action::IreadAt,
                              Action::PrefetchAndRead, Action::PrefetchedBytes};
  constexpr std::array kWrites{Action::WriteAt, Action::Write, Action::IwriteAt};
  if (writable() && random.oneIn(3))
    return kWrites[random.below(kWrites.size())];
  if (phase_.kind == PhaseKind::Tail && rank == 0 && random.oneIn(3))
    return random.oneIn(2) ? Action::WriteAt : Action::Write; // the file's end is always known
  return kReads[random.below(kReads.size())];
}

/// The bytes of the view that a rank may touch now with \p action.
ByteRange Planner::area(Random &random, int rank, Action action) const {
  const std::uint64_t chunk = config_.chunkBytes;
  const ViewLayout &view = phase_.views[static_cast<std::size_t>(rank)];
  switch (phase_.kind) {
  case PhaseKind::Bytes: {
    const bool own = isWrite(action) || random.oneIn(2);
    const std::uint64_t ranks = chunkOf_.size() / 2;
    const std::uint64_t which =
        own ? static_cast<std::uint64_t>(rank) : ranks + random.below(ranks);
    return {chunkOf_[which] * chunk, chunk};
  }
  case PhaseKind::Tail: // Rank 0 alone looks past the cut while it writes there.
    if (rank == 0)
      return {phase_.cutBytes, chunk};
    return {0, phase_.cutBytes};
  case PhaseKind::Own:
  case PhaseKind::Shared:
  case PhaseKind::Holes:
    break;
  }
  return {0, view.visibleBytes};
}

Operation Planner::operation(Random &random, int rank, Action action) const {
  const ViewLayout &view = phase_.views[static_cast<std::size_t>(rank)];
  const ByteRange where = area(random, rank, action);
  const std::uint64_t etypes = where.length / view.etypeBytes;
  Operation op;
  op.action = action;
  op.stamp = random.next();
  // Stock ROMIO's status of a read over the end of the file is right for plain buffers only.
  op.gaps = phase_.kind != PhaseKind::Tail && random.oneIn(4);
  const std::uint64_t most = random.oneIn(8) ? etypes : std::min<std::uint64_t>(etypes, 6000);
  op.count = random.oneIn(20) ? 0 : random.between(0, most);
  if (op.gaps)
    op.count = std::min<std::uint64_t>(op.count, 700);
  op.start = where.offset / view.etypeBytes + random.below(etypes - op.count + 1);
  return op;
}

/// All ranks read the same amount, from one start on, in turn.
Operation Planner::throughSharedPointer(std::size_t index, Action action) const {
  Random random(config_.seed + index, number_, kShared - 1);
  Operation op;
  op.action = action;
  op.count = random.between(1, 6000);
  const auto ranks = static_cast<std::uint64_t>(config_.ranks);
  op.start = random.below(config_.fullBytes() - ranks * op.count + 1);
  return op;
}

Phase Planner::plan() {
  constexpr std::array kKinds{PhaseKind::Bytes,  PhaseKind::Own, PhaseKind::Bytes, PhaseKind::Holes,
                              PhaseKind::Shared, PhaseKind::Own, PhaseKind::Tail};
  constexpr std::array kBorders{Border::Resize, Border::Nothing, Border::Preallocate,
                                Border::Atomic, Border::Reopen};
  phase_.kind = kKinds[(number_ + config_.seed) % kKinds.size()];
  phase_.border = kBorders[(number_ + config_.seed / kKinds.size()) % kBorders.size()];
  phase_.cutBytes = config_.fullBytes() / 4 + shared_.below(config_.fullBytes() / 2);

  chunkOf_.resize(2 * static_cast<std::size_t>(config_.ranks));
  std::iota(chunkOf_.begin(), chunkOf_.end(), 0);
  for (std::size_t i = chunkOf_.size(); i > 1; --i)
    std::swap(chunkOf_[i - 1], chunkOf_[shared_.below(i)]);

  planViews();
  planCollectives();
  for (int rank = 0; rank < config_.ranks; ++rank) {
    Random random(config_.seed, number_, static_cast<std::uint64_t>(rank) + 1);
    auto &list = phase_.operations.emplace_back();
    for (const int at : collectiveAt_) {
      const Action action = at > 0 ? static_cast<Action>(at - 1) : independent(random, rank);
      const bool shared = action == Action::ReadShared || action == Action::ReadOrdered;
      list.push_back(shared ? throughSharedPointer(list.size(), action)
                            : operation(random, rank, action));
    }
  }
  return std::move(phase_);
}

} // namespace

bool isWrite(Action action) {
  switch (action) {
  case Action::WriteAt:
  case Action::Write:
  case Action::IwriteAt:
  case Action::WriteAtAll:
  case Action::SplitWriteAtAll:
  case Action::IwriteAtAll:
    return true;
  default:
    return false;
  }
}

Phase planPhase(const Config &config, int number) { return Planner(config, number).plan(); }

} // namespace stress
