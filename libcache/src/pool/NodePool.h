// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Pool.h"
#include "policy/Policy.h"
#include "pool/FreeFrames.h"
#include "pool/Layout.h"
#include "pool/SharedFrame.h"
#include "pool/SharedMemory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <sys/types.h>

/// \file
/// The page memory of all processes of a job on one node: one budget of frames, which any of them
/// reads by a plain copy. Each process is a member. It is the holder of the frames that it has
/// taken: it alone decides what they are for, and evicts them. Others fetch what is missing of the
/// page into the same frame, as guests: a page that is wanted in pieces needs one frame.
///
///     take --> publish --> (sectors come, are open) --> withdraw --> give
///              find, read, await: all members; beGuest --> (sectors come) --> endGuest
///
/// Trust. Nobody tells anybody about writes. A reader of another member's page states how old its
/// bytes may be (`Wanted::after`): they must have been requested from the storage after the
/// reader's own last epoch of the file began, and after its own last write to the page. By MPI-IO's
/// rules, others' writes must be seen from the next epoch that begins after theirs has ended; bytes
/// requested after that are as new as what the reader would get if it asked now. So files that
/// nobody writes to cost nothing, and neither does a write that nobody else has to see.
///
/// Invariants
///  - A frame is free or has one holder.
///  - A member gets its floor of frames whenever it wants: what is kept back for others is never
///    taken.
///  - Nothing here waits for another member except `await`, until that one is dead or a time is up,
///    and Claim, for a moment for each that has the claim first. So a member killed or stopped at
///    any step hangs nobody.
///  - `find` and `look` are hints; `read` alone decides.
///
/// Threads: every function from any; a member takes, gives, and reports what is in its frames from
/// one thread at a time.

namespace forerun {

class NodePool final : public Pool {
public:
  using Shape = PoolShape;
  static bool isPossible(const Shape &shape);

  /// Null: no memory. The caller is member 0; others join by its process number and `fd`.
  static std::unique_ptr<NodePool> create(const Shape &shape);
  /// Null also if the pool does not have that shape, or \p member has joined already.
  static std::unique_ptr<NodePool> join(pid_t creator, int fd, const Shape &shape, unsigned member);
  /// Another member in this process.
  std::unique_ptr<NodePool> join(unsigned member) const;
  ~NodePool() override = default;
  NodePool(const NodePool &) = delete;
  NodePool &operator=(const NodePool &) = delete;

  int fd() const override { return memory_->fd(); }
  unsigned member() const { return member_; }
  const Shape &shape() const { return shape_; }
  bool isAlive(unsigned member) const { return member == member_ || memory_->isLocked(member); }

  // ---- frames ----
  std::byte *frame(Slot slot) const { return frames_ + slot * shape_.pageBytes; }
  SharedFrame &state(Slot slot) const { return states_[slot]; }
  /// A free frame becomes this member's. None: there is none that it may have.
  std::optional<Slot> take();
  void give(Slot slot); ///< withdrawn, or never published
  std::size_t held() const { return heldBy(member_); }
  std::size_t heldBy(unsigned member) const;
  /// Whether others lack what this member holds beyond its own contribution: then it should give.
  bool owes() const;

  // ---- the holder ----
  /// The frame is for the page from now on; none of its sectors is taken.
  void publish(Slot slot, const PageKey &key, std::uint64_t since);
  void withdraw(Slot slot);
  void tellWaiters(Slot slot) const; ///< what is open or coming has changed
  /// A frame in which others wait for fetches of this member, each once; to be called when a fetch
  /// is done.
  std::optional<Slot> hastened();

  // ---- the others ----
  struct Wanted {
    PageKey key;
    Sectors sectors;
    std::uint64_t after; ///< older bytes are not trusted
  };
  /// Of the wanted sectors, those that a frame has, and those that it will have.
  struct Found {
    Slot slot = 0;
    Sectors open = 0;
    Sectors coming = 0;

    Sectors all() const { return open | coming; }
  };
  /// Another member's frame that has, or will have, most of them; nothing: there is none.
  Found find(const Wanted &wanted) const;
  /// What \p slot has of them.
  Found look(Slot slot, const Wanted &wanted) const;
  /// Copies \p bytes from \p offset in the page. False: it is no longer there, or (then \p faulted is
  /// set) \p to cannot be written to.
  bool read(Slot slot, const Wanted &wanted, std::size_t offset, void *to, std::size_t bytes,
            bool *faulted = nullptr) const;
  /// Sleeps until all sectors are open, and has the fetch hastened; false: they will not come, or
  /// not soon, since the member that fetches them is stopped.
  bool await(Slot slot, const Wanted &wanted) const;

  // ---- guests ----
  struct Taken {
    Slot slot = 0;
    Sectors sectors = 0; ///< none: there is no such frame
  };
  /// Whether another member has a frame for the page.
  bool isHosted(const Wanted &wanted) const;
  /// Takes what nobody has of the page in another's frame, to fetch it into that, and pins it.
  Taken beGuest(const Wanted &wanted) const;
  void pin(Slot slot) const { states_[slot].pins.fetch_add(1); }
  void unpin(Slot slot) const { states_[slot].pins.fetch_sub(1); }
  /// Of \p sectors that were taken, \p opened have come; ends a pin. False: nobody finds them there
  /// any more.
  bool endGuest(Slot slot, Sectors sectors, Sectors opened) const;

private:
  friend class Claim;
  static constexpr std::size_t kWays = PoolLayout::kWays;
  static constexpr std::uint32_t kMaxMembers = 4096;
  using Place = PoolLayout::Place;

  NodePool(std::unique_ptr<SharedMemory> memory, const Shape &shape, unsigned member);
  static std::unique_ptr<NodePool> become(std::unique_ptr<SharedMemory> memory, const Shape &shape,
                                          unsigned member);
  template <typename T> T *at(std::size_t offset) const;

  std::optional<Slot> tryToTake();
  Place *placesOf(const PageKey &key) const;
  bool exchangePlace(const PageKey &key, std::uint32_t from, std::uint32_t to);
  template <typename Step> bool anyFrameOf(const PageKey &key, const Step &step) const;
  static bool isFor(const SharedFrame &frame, const Wanted &wanted);
  void hasten(Slot slot, Sectors sectors) const;
  bool mayStillCome(Slot slot, Sectors sectors) const;
  bool isTooLate(std::uint64_t since) const;
  /// Of one claim alone, until the member has made so many that no other sees it unchanged.
  std::uint32_t nextClaim() const {
    return claimed_.fetch_add(1, std::memory_order_relaxed) * 2 * kMaxMembers + member_ + 1;
  }

  const std::unique_ptr<SharedMemory> memory_;
  std::uint32_t hastensSeen_ = 0;
  mutable std::atomic<std::uint64_t> gaveUpNs_{0}; ///< when `await` last did so
  mutable std::atomic<std::uint32_t> claimed_{0};  ///< how many claims this member has made
  const Shape shape_;
  const PoolLayout layout_;
  const unsigned member_;
  const std::size_t floor_;
  PoolHeader &header_;
  PoolMember *const members_;
  Shared<std::uint32_t> *const claims_;
  Place *const places_;
  FreeFrames free_;
  SharedFrame *const states_;
  std::byte *const frames_;
};

} // namespace forerun
