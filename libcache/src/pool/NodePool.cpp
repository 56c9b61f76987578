// SPDX-License-Identifier: Apache-2.0
#include "pool/NodePool.h"

#include "base/Geometry.h"
#include "forerun/Clock.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>
#include <ctime>
#include <limits>
#include <linux/futex.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace forerun {
namespace {

constexpr std::size_t kMaxFrames = std::size_t{1} << 30;
/// The share of a member's contribution that is kept back for it.
constexpr std::size_t kShareOfFloor = 4;
/// Between two checks, by those who wait for it, whether the holder lives.
constexpr long kGlanceNs = 20'000'000;
/// How long a member waits for another; and how long after a wait in vain within that time.
constexpr std::uint64_t kPatienceNs = 1'000'000'000, kImpatienceNs = 20'000'000;

void sleepOn(Shared<std::uint32_t> &word, std::uint32_t value) {
  const timespec glance{0, kGlanceNs};
  syscall(SYS_futex, &word, FUTEX_WAIT, value, &glance, nullptr, 0);
}

void wakeAll(Shared<std::uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace

static_assert(Pool::kLargestPageBytes / kSectorBytes == std::numeric_limits<Sectors>::digits);

bool NodePool::isPossible(const Shape &shape) {
  return shape.members >= 1 && shape.members <= kMaxMembers && shape.framesEach >= 1 &&
         shape.framesEach <= kMaxFrames / shape.members && shape.pageBytes % kSectorBytes == 0 &&
         shape.pageBytes <= kLargestPageBytes;
}

template <typename T> T *NodePool::at(std::size_t offset) const {
  return reinterpret_cast<T *>(memory_->base() + offset);
}

NodePool::NodePool(std::unique_ptr<SharedMemory> memory, const Shape &shape, unsigned member)
    : memory_(std::move(memory)), shape_(shape), layout_(shape), member_(member),
      floor_(std::max<std::size_t>(shape.framesEach / kShareOfFloor, 1)),
      header_(*at<PoolHeader>(0)), members_(at<PoolMember>(layout_.members)),
      claims_(at<Shared<std::uint32_t>>(layout_.claims)), places_(at<Place>(layout_.places)),
      free_(header_.freeHead, at<Shared<std::uint32_t>>(layout_.next)),
      states_(at<SharedFrame>(layout_.states)), frames_(at<std::byte>(layout_.frames)) {}

/// A member of memory that has been prepared.
std::unique_ptr<NodePool> NodePool::become(std::unique_ptr<SharedMemory> memory, const Shape &shape,
                                           unsigned member) {
  if (memory == nullptr || memory->bytes() != PoolLayout(shape).bytes)
    return nullptr;
  const auto *const header = reinterpret_cast<const PoolHeader *>(memory->base());
  if (!header->isOf(shape) || !memory->lock(member))
    return nullptr;
  return std::unique_ptr<NodePool>(new (std::nothrow) NodePool(std::move(memory), shape, member));
}

std::unique_ptr<NodePool> NodePool::create(const Shape &shape) {
  if (!isPossible(shape))
    return nullptr;
  std::unique_ptr<SharedMemory> memory = SharedMemory::create(PoolLayout(shape).bytes);
  if (memory == nullptr)
    return nullptr;
  auto *const header = new (memory->base()) PoolHeader(shape);
  std::unique_ptr<NodePool> pool = become(std::move(memory), shape, 0);
  if (pool == nullptr)
    return nullptr;
  for (std::size_t slot = shape.frames(); slot-- > 0;)
    pool->free_.push(static_cast<Slot>(slot));
  header->spare = static_cast<std::int64_t>(shape.frames() - shape.members * pool->floor_);
  return pool;
}

std::unique_ptr<NodePool> NodePool::join(pid_t creator, int fd, const Shape &shape,
                                         unsigned member) {
  if (!isPossible(shape) || member >= shape.members)
    return nullptr;
  return become(SharedMemory::attach(creator, fd), shape, member);
}

std::unique_ptr<NodePool> NodePool::join(unsigned member) const {
  return member < shape_.members ? become(memory_->share(), shape_, member) : nullptr;
}

// ---- frames ----

/// Up to its floor a member takes what is kept back for it, beyond that what is spare.
std::optional<Slot> NodePool::tryToTake() {
  const bool isSpare = held() >= floor_;
  if (held() >= shape_.framesEach && header_.starving.load() != 0)
    return std::nullopt; // what others lack is not lent
  if (isSpare && header_.spare.fetch_sub(1) <= 0) {
    header_.spare.fetch_add(1);
    return std::nullopt;
  }
  const std::optional<Slot> slot = free_.pop(); // none: a member died between this and its count
  if (slot)
    members_[member_].held.fetch_add(1);
  else if (isSpare)
    header_.spare.fetch_add(1);
  return slot;
}

std::optional<Slot> NodePool::take() {
  const std::optional<Slot> slot = tryToTake();
  const std::uint32_t starves = !slot && held() < shape_.framesEach ? 1 : 0;
  if (members_[member_].starves.exchange(starves) != starves)
    header_.starving.fetch_add(starves == 1 ? 1 : -1U);
  if (!slot)
    return std::nullopt;
  SharedFrame &frame = states_[*slot];
  // The holder before has seen that this member's reads of the frame have ended. ThreadSanitizer sees
  // nothing that happens in other processes: for it, this member looks, too.
  (void)frame.pins.load();
  frame.holder.store(member_);
  return slot;
}

void NodePool::give(Slot slot) {
  free_.push(slot);
  if (members_[member_].held.fetch_sub(1) > floor_)
    header_.spare.fetch_add(1);
}

std::size_t NodePool::heldBy(unsigned member) const { return members_[member].held.load(); }

bool NodePool::owes() const {
  return header_.starving.load(std::memory_order_relaxed) != 0 && held() > shape_.framesEach;
}

// ---- where a page is ----

NodePool::Place *NodePool::placesOf(const PageKey &key) const {
  return places_ + (key.low & (layout_.placeCount - kWays));
}

void NodePool::publish(Slot slot, const PageKey &key, std::uint64_t since) {
  SharedFrame &frame = states_[slot];
  for (auto *sectors :
       {&frame.taken, &frame.open, &frame.coming, &frame.lent, &frame.lending, &frame.used})
    sectors->store(0, std::memory_order_relaxed);
  frame.since.store(since, std::memory_order_relaxed);
  frame.high.store(key.high, std::memory_order_release);
  frame.low.store(key.low, std::memory_order_release);
  frame.live.store(1);
  if (!exchangePlace(key, 0, slot + 1))
    // All places are taken: one of them is lost, and only the holder finds what was there.
    placesOf(key)[slot % kWays].store(slot + 1);
}

void NodePool::withdraw(Slot slot) {
  SharedFrame &frame = states_[slot];
  frame.live.store(0);
  (void)exchangePlace({frame.high.load(), frame.low.load()}, slot + 1, 0);
}

/// The first of the page's places that holds \p from holds \p to from now on. False: none does.
bool NodePool::exchangePlace(const PageKey &key, std::uint32_t from, std::uint32_t to) {
  Place *const places = placesOf(key);
  return std::any_of(places, places + kWays, [&](Place &place) {
    std::uint32_t found = from;
    return place.compare_exchange_strong(found, to);
  });
}

bool NodePool::isFor(const SharedFrame &frame, const Wanted &wanted) {
  return frame.live.load() != 0 && frame.is(wanted.key) && frame.since.load() > wanted.after;
}

NodePool::Found NodePool::look(Slot slot, const Wanted &wanted) const {
  const SharedFrame &frame = states_[slot];
  if (!isFor(frame, wanted))
    return {};
  // In this order: what has come between the two is open.
  Sectors coming = frame.lending.load();
  Sectors open = frame.lent.load();
  if (frame.holder.load(std::memory_order_relaxed) != member_) {
    coming |= frame.coming.load();
    open |= frame.open.load();
  }
  return {slot, open & wanted.sectors, coming & wanted.sectors & ~open};
}

/// Whether \p step, called with each frame that is plausible for \p key until it returns true, has.
template <typename Step> bool NodePool::anyFrameOf(const PageKey &key, const Step &step) const {
  const Place *const places = placesOf(key);
  return std::any_of(places, places + kWays, [&](const Place &place) {
    const std::uint32_t found = place.load(std::memory_order_acquire);
    return found != 0 && found <= shape_.frames() && states_[found - 1].is(key) && step(found - 1);
  });
}

NodePool::Found NodePool::find(const Wanted &wanted) const {
  const auto worth = [](const Found &found) {
    return std::make_pair(std::popcount(found.all()), std::popcount(found.open));
  };
  Found best;
  (void)anyFrameOf(wanted.key, [&](Slot slot) {
    const Found found = look(slot, wanted);
    if (worth(found) > worth(best))
      best = found;
    return false;
  });
  return best;
}

// ---- others' frames ----

bool NodePool::read(Slot slot, const Wanted &wanted, std::size_t offset, void *to,
                    std::size_t bytes, bool *faulted) const {
  SharedFrame &frame = states_[slot];
  frame.pins.fetch_add(1);
  bool isThere = isFor(frame, wanted) &&
                 ((frame.lent.load() | frame.open.load()) & wanted.sectors) == wanted.sectors;
  if (isThere) {
    isThere = copyOut(to, this->frame(slot) + offset, bytes);
    if (faulted != nullptr)
      *faulted = !isThere;
    if ((frame.used.load(std::memory_order_relaxed) & wanted.sectors) != wanted.sectors)
      frame.used.fetch_or(wanted.sectors, std::memory_order_relaxed);
  }
  frame.pins.fetch_sub(1);
  return isThere;
}

void NodePool::tellWaiters(Slot slot) const {
  SharedFrame &frame = states_[slot];
  frame.arrivals.fetch_add(1);
  if (frame.waiters.load() != 0)
    wakeAll(frame.arrivals);
}

/// Whichever member fetches \p sectors.
void NodePool::hasten(Slot slot, Sectors sectors) const {
  const SharedFrame &frame = states_[slot];
  const std::uint32_t holder = frame.holder.load();
  const bool isLending = (frame.lending.load() & sectors) != 0;
  for (std::uint32_t member = 0; member < shape_.members; ++member)
    if (member != member_ && (isLending || member == holder))
      members_[member].hastened.add(slot);
}

std::optional<Slot> NodePool::hastened() {
  return members_[member_].hastened.take(hastensSeen_, shape_.frames());
}

bool NodePool::await(Slot slot, const Wanted &wanted) const {
  const std::uint64_t since = nowNs();
  SharedFrame &frame = states_[slot];
  if (look(slot, wanted).open != wanted.sectors)
    hasten(slot, wanted.sectors);
  for (;;) {
    // Like EventCount: counted in, and the number read, before the check.
    frame.waiters.fetch_add(1);
    const std::uint32_t arrivals = frame.arrivals.load();
    const Found found = look(slot, wanted);
    const bool isOpen = found.open == wanted.sectors;
    const bool comes = !isOpen && found.all() == wanted.sectors;
    if (comes)
      sleepOn(frame.arrivals, arrivals);
    frame.waiters.fetch_sub(1);
    if (!comes)
      return isOpen;
    if (frame.arrivals.load() == arrivals &&
        (!mayStillCome(slot, wanted.sectors) || isTooLate(since)))
      return false;
  }
}

/// After a recent wait in vain, a member is impatient: much may be wanted from a stopped member.
bool NodePool::isTooLate(std::uint64_t since) const {
  const std::uint64_t now = nowNs();
  const bool isImpatient = now - gaveUpNs_.load() < kPatienceNs;
  if (now - since < (isImpatient ? kImpatienceNs : kPatienceNs))
    return false;
  gaveUpNs_.store(now);
  return true;
}

/// Not if the fetching member is dead: the holder or, as the guest is unknown, any member.
bool NodePool::mayStillCome(Slot slot, Sectors sectors) const {
  const SharedFrame &frame = states_[slot];
  if ((frame.lending.load() & sectors) == 0)
    return isAlive(frame.holder.load());
  for (unsigned member = 0; member < shape_.members; ++member)
    if (!isAlive(member))
      return false;
  return true;
}

// ---- guests ----

bool NodePool::isHosted(const Wanted &wanted) const {
  return anyFrameOf(wanted.key, [&](Slot slot) {
    return states_[slot].holder.load() != member_ && isFor(states_[slot], wanted);
  });
}

NodePool::Taken NodePool::beGuest(const Wanted &wanted) const {
  Taken taken;
  (void)anyFrameOf(wanted.key, [&](Slot slot) {
    SharedFrame &frame = states_[slot];
    if (frame.holder.load() == member_)
      return false;
    pin(slot);
    if (isFor(frame, wanted)) {
      taken = {slot, wanted.sectors & ~frame.taken.fetch_or(wanted.sectors)};
      frame.lending.fetch_or(taken.sectors);
    }
    if (taken.sectors == 0)
      unpin(slot);
    return taken.sectors != 0;
  });
  return taken;
}

bool NodePool::endGuest(Slot slot, Sectors sectors, Sectors opened) const {
  SharedFrame &frame = states_[slot];
  frame.lent.fetch_or(opened);
  frame.lending.fetch_and(~sectors);
  frame.taken.fetch_and(~(sectors & ~opened));
  tellWaiters(slot);
  const bool isThere = frame.live.load() != 0;
  unpin(slot);
  return isThere;
}

// ---- as others see it ----

namespace {

NodePool::Shape shapeOf(const CacheConfig &config, unsigned members) {
  return {members, config.capacityBytes / config.pageBytes, config.pageBytes};
}

} // namespace

std::unique_ptr<Pool> Pool::create(const CacheConfig &config, unsigned members) {
  return NodePool::create(shapeOf(config, members));
}

std::unique_ptr<Pool> Pool::join(pid_t creator, int fd, const CacheConfig &config, unsigned members,
                                 unsigned member) {
  return NodePool::join(creator, fd, shapeOf(config, members), member);
}

} // namespace forerun
