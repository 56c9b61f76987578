// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mpi.h>
#include <set>
#include <utility>
#include <vector>

/// \file
/// Messages from one pre-execution thread to another: what the program's own communication would
/// have brought later. They travel on a duplicate of MPI_COMM_WORLD, where they cannot meet the
/// main threads' messages, and each names the message of the program that it replaces. A missing
/// message does no harm: the receiver then gets the value from its main thread. A message that
/// comes too late is discarded.
///
/// Invariants
///  - Nothing here waits while the program runs.
///  - At most kMaxPending messages to one process are not yet received. Nothing is received while
///    kMaxKept bytes wait to be asked for. So memory is bounded, whatever the others do or fail to
///    do.
///  - `open` and `finish` are collective over MPI_COMM_WORLD, whatever else is switched off on a
///    process.
///  - Between the two, one thread uses it, inside PreThread::Unstoppable: it calls MPI and
///    malloc. If reading the caller's `data` ends that thread, the state kept here is still
///    consistent.

namespace forerun {

class Exchange {
public:
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 10; ///< of one message
  static constexpr std::size_t kMaxPending = 64;
  static constexpr std::size_t kMaxKept = std::size_t{8} << 20;

  /// The messages between two processes that are in order: those of one communicator (Group::id)
  /// with the same tag. Collective calls have kCollective.
  struct Channel {
    static constexpr int kCollective = -1;
    std::uint64_t group = 0;
    int tag = kCollective;
    auto operator<=>(const Channel &) const = default;
  };
  /// The `sequence`-th message of its channel.
  struct Key {
    Channel channel;
    std::uint64_t sequence = 0;
  };

  void open(); ///< collective
  bool isOpen() const { return comm_ != MPI_COMM_NULL; }
  /// Collective; receives what is still in flight. Calling it again does nothing.
  void finish();

  /// The key of the next message to or from \p peer; ranks are those of MPI_COMM_WORLD.
  Key nextTo(int peer, Channel channel) { return {channel, toNext_[{peer, channel}]++}; }
  Key nextFrom(int peer, Channel channel) { return {channel, fromNext_[{peer, channel}]++}; }
  /// The one key of all messages of the next collective call.
  Key nextOfAll(std::uint64_t group) {
    const Channel channel{group, Channel::kCollective};
    return {channel, collectiveNext_[group]++};
  }

  /// False: too many are in flight to this process, nothing was sent. More than kMaxBytes are never
  /// sent.
  bool send(int to, const Key &key, const void *data, std::size_t bytes);
  /// \p to seems to receive nothing: until there is room again, what does not fit counts as sent.
  void giveUp(int to) { deaf_.insert(to); }
  /// The message with this key, if it has come; it stays until a later one of the channel is asked
  /// for. Earlier ones are discarded.
  const std::vector<std::byte> *find(int from, const Key &key);

private:
  struct Header {
    Key key;
  };
  struct Message {
    std::uint64_t sequence;
    std::vector<std::byte> data;
  };
  struct Pending {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  using Peer = std::pair<int, Channel>;

  void takeIn();
  void receiveOne(int from);
  static void forgetSent(std::deque<Pending> &pending);

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<int> sentTo_; ///< messages, by process
  int received_ = 0;        ///< messages
  std::size_t kept_ = 0;    ///< bytes in messages_
  std::map<Peer, std::uint64_t> toNext_, fromNext_;
  std::map<std::uint64_t, std::uint64_t> collectiveNext_;
  std::map<int, std::deque<Pending>> pending_;   ///< by receiver
  std::set<int> deaf_;                           ///< receivers
  std::map<Peer, std::deque<Message>> messages_; ///< by sender; received, in order
};

} // namespace forerun
