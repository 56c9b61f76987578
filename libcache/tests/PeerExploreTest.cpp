// SPDX-License-Identifier: Apache-2.0
#include "PeerModel.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <unordered_set>
#include <vector>

/// \file
/// Every order in which actions of ranks, messages and answers of the storage can happen, for a few
/// ranks that each have a few things to do. What a rank does depends only on what has happened to
/// it before, and in which order: so a global order is identified by the orders of each rank, and
/// those that were seen before are not followed again.

namespace forerun {
namespace {

/// What a rank does, one after the other.
struct Deed {
  enum class Kind { Want, Evict, Raise, GiveUp, Write, Sync } kind;
  std::uint64_t page = 0;
  Sectors sectors = 1;
};
constexpr auto kWant = Deed::Kind::Want;
constexpr auto kEvict = Deed::Kind::Evict;
constexpr auto kRaise = Deed::Kind::Raise;
constexpr auto kGiveUp = Deed::Kind::GiveUp;
constexpr auto kWrite = Deed::Kind::Write;
constexpr auto kSync = Deed::Kind::Sync;

class Exploration {
public:
  using Program = std::vector<Deed>;
  Exploration(std::vector<Program> programs, unsigned givesAtOnce)
      : programs_(std::move(programs)), givesAtOnce_(givesAtOnce) {}

  /// Calls \p atEnd of each order that ends; returns how many there are.
  std::size_t run(const std::function<void(PeerModel &)> &atEnd) {
    std::vector<unsigned> path;
    do {
      follow(path);
      if (isOver_) {
        ++ends_;
        atEnd(*model_);
      }
    } while (!testing::Test::HasFailure() && next(path));
    return ends_;
  }

private:
  /// One thing that can happen, to one rank.
  struct Event {
    Rank rank;
    std::uint64_t what; ///< for the rank's history
    std::function<void()> happen;
  };

  std::vector<Event> possible() {
    std::vector<Event> events;
    const auto ranks = static_cast<Rank>(programs_.size());
    for (Rank rank = 0; rank < ranks; ++rank) {
      if (at_[rank] < programs_[rank].size() && mayDo(rank))
        events.push_back({rank, 1, [this, rank] { act(rank); }});
      for (std::size_t i = 0; i < model_->nodes[rank]->fetches.size(); ++i)
        events.push_back({rank, 100 + i, [this, rank, i] { model_->nodes[rank]->complete(i); }});
    }
    for (const auto &[pair, packets] : model_->channels) {
      const auto [from, to] = pair;
      events.push_back({to, 1000 + from, [this, from, to] { model_->deliver(from, to); }});
    }
    return events;
  }

  /// No rank passes a barrier before all have reached it.
  bool mayDo(Rank rank) const {
    if (programs_[rank][at_[rank]].kind != kSync)
      return true;
    const auto syncsBefore = [&](Rank each) {
      return std::count_if(programs_[each].begin(),
                           programs_[each].begin() + static_cast<std::ptrdiff_t>(at_[each]),
                           [](const Deed &deed) { return deed.kind == kSync; });
    };
    for (Rank each = 0; each < programs_.size(); ++each) {
      const bool hasCome =
          syncsBefore(each) > syncsBefore(rank) ||
          (syncsBefore(each) == syncsBefore(rank) && at_[each] < programs_[each].size() &&
           programs_[each][at_[each]].kind == kSync);
      if (!hasCome)
        return false;
    }
    return true;
  }

  void act(Rank rank) {
    const Deed deed = programs_[rank][at_[rank]];
    PeerModel::Node &node = *model_->nodes[rank];
    if (deed.kind == kWant) {
      node.want({deed.page, 0}, deed.sectors);
    } else if (deed.kind == kEvict) {
      node.evict(deed.page);
    } else if (deed.kind == kRaise) {
      for (const auto &[number, wanted] : node.wanted)
        node.peer.raise(number, 0);
    } else if (deed.kind == kGiveUp) {
      node.peer.giveUp(model_->now + 1, model_->now + 1);
    } else if (deed.kind == kWrite) {
      ++model_->version;
    } else {
      // When all have arrived, the first that continues passes the barrier.
      if (barriers_.size() <= node.epoch)
        barriers_.push_back(model_->version);
      node.beginEpoch(barriers_[node.epoch]);
    }
    node.peer.flush();
    ++at_[rank];
  }

  /// Follows \p path, and from its end on always the first of the possible steps.
  void follow(std::vector<unsigned> &path) {
    model_ = std::make_unique<PeerModel>(static_cast<Rank>(programs_.size()),
                                         PageDirectory(1000, givesAtOnce_));
    at_.assign(programs_.size(), 0);
    histories_.assign(programs_.size(), 0);
    barriers_.clear();
    choices_.clear();
    isOver_ = false;
    for (std::size_t depth = 0;; ++depth) {
      const std::vector<Event> events = possible();
      if (events.empty()) {
        isOver_ = true;
        return;
      }
      choices_.push_back(static_cast<unsigned>(events.size()));
      const bool isNew = depth >= path.size();
      if (isNew)
        path.push_back(0);
      const Event &event = events[path[depth]];
      // What the storage gives depends on what others have written.
      note(event.rank, event.what * 1000 + model_->version);
      event.happen();
      // The last step of a path that was given is new, too.
      if (depth + 1 >= given_ && !seen_.insert(state()).second)
        return;
    }
  }

  bool next(std::vector<unsigned> &path) {
    path.resize(choices_.size());
    while (!path.empty() && path.back() + 1 >= choices_[path.size() - 1])
      path.pop_back();
    if (path.empty())
      return false;
    ++path.back();
    given_ = path.size();
    return true;
  }

  void note(Rank rank, std::uint64_t what) { histories_[rank] = mixed(histories_[rank] + what); }
  std::uint64_t state() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : histories_)
      all = mixed(all ^ each) + 1;
    return all;
  }
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }

  const std::vector<Program> programs_;
  const unsigned givesAtOnce_;
  std::unique_ptr<PeerModel> model_;
  std::vector<std::size_t> at_;
  std::vector<std::uint64_t> histories_;
  std::vector<std::uint32_t> barriers_; ///< the version that each was passed with
  std::vector<unsigned> choices_;       ///< at each step of the last path
  std::size_t given_ = 0;               ///< this part of the path was followed before
  bool isOver_ = false;
  std::unordered_set<std::uint64_t> seen_;
  std::size_t ends_ = 0;

public:
  std::size_t states() const { return seen_.size(); }
};

void expectAllCame(PeerModel &model) {
  for (const auto &node : model.nodes) {
    EXPECT_TRUE(node->wanted.empty());
    EXPECT_EQ(node->stale, 0U);
    EXPECT_EQ(node->unasked, 0U);
  }
}

void expectOnceEach(PeerModel &model) {
  expectAllCame(model);
  for (const auto &[sector, times] : model.asked)
    EXPECT_EQ(times, 1U);
}

void explore(const std::vector<Exploration::Program> &programs,
             const std::function<void(PeerModel &)> &atEnd) {
  for (const unsigned givesAtOnce : {1U, 4U}) {
    Exploration exploration(programs, givesAtOnce);
    const std::size_t ends = exploration.run(atEnd);
    EXPECT_GT(ends, 0U);
    std::printf("%zu states, %zu ends\n", exploration.states(), ends);
  }
}

TEST(PeerExplore, APageThatThreeWantIsAskedForOnce) {
  explore({{{kWant, 0, 3}}, {{kWant, 0, 3}}, {{kWant, 0, 3}}}, expectOnceEach);
}

TEST(PeerExplore, PartsOfAPageAreAskedForOnce) {
  explore({{{kWant, 0, 1}, {kWant, 0, 6}}, {{kWant, 0, 3}}, {{kWant, 0, 6}}}, expectOnceEach);
}

TEST(PeerExplore, TwoPagesInOppositeOrders) {
  explore({{{kWant, 0}, {kWant, 1}}, {{kWant, 1}, {kWant, 0}}}, expectOnceEach);
  explore({{{kWant, 2}, {kWant, 1}}, {{kWant, 1}, {kWant, 2}}, {{kWant, 1}}}, expectOnceEach);
}

TEST(PeerExplore, WhatIsEvictedAndWantedAgainComes) {
  explore({{}, {{kWant, 0}, {kEvict, 0}, {kWant, 0}}, {{kWant, 0}, {kEvict, 0}}}, expectAllCame);
  explore({{{kWant, 0}, {kEvict, 0}, {kWant, 0}}, {{kWant, 0}, {kEvict, 0}, {kWant, 0}}},
          expectAllCame);
}

TEST(PeerExplore, HurryAndImpatience) {
  explore({{}, {{kWant, 0}, {kRaise}, {kGiveUp}}, {{kWant, 0}, {kRaise}}}, expectAllCame);
  explore({{}, {{kWant, 0}, {kGiveUp}}, {{kWant, 0}, {kGiveUp}}}, expectAllCame);
}

TEST(PeerExplore, NothingOlderThanAnEpochIsReadInIt) {
  explore({{{kWrite}, {kSync}, {kSync}, {kWant, 0}}, {{kWant, 0}, {kSync}, {kSync}, {kWant, 0}}},
          expectAllCame);
  explore({{{kWant, 0}, {kSync}, {kWant, 0}},
           {{kWrite}, {kSync}, {kWrite}},
           {{kWant, 0}, {kSync}, {kWant, 0}}},
          expectAllCame);
}

} // namespace
} // namespace forerun
