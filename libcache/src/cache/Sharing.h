// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/FetchBook.h"
#include "cache/Reading.h"
#include "pool/Claim.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>

/// \file
/// With whom a cache shares, chosen when it is made, so that PageCache asks everybody alike:
///
///     alone   Sharing itself: nobody has anything
///     node    NodeSharing: the processes of a node, which read each other's frames
///     nodes   either of them, if it knows the names of files among nodes
///
/// A file that several nodes have opened together has a name among them. From the call in which it
/// gets the name, which nobody leaves before all have reached it, any process may be given its
/// bytes. For what this process may have written since, it asks nobody. Once it trusts nothing
/// older than now, it asks nobody, and gives nothing, until the file is opened anew. The engine asks
/// (PeerEngine); PageCache::lend gives.
///
/// Threads: guarded by the cache's mutex unless stated otherwise.

namespace forerun {

/// A part of a read, within a page, in another process's frame.
struct Elsewhere {
  ByteRange range{};
  NodePool::Wanted wanted{};
  Slot slot = 0;
  bool comes = false; ///< not all of it is there yet
};

class Sharing {
public:
  explicit Sharing(bool isAmongNodes) : isAmongNodes_(isAmongNodes) {}
  virtual ~Sharing() = default;
  Sharing(const Sharing &) = delete;
  Sharing &operator=(const Sharing &) = delete;

  // ---- nodes ----
  bool isAmongNodes() const { return isAmongNodes_; }
  /// Throws std::bad_alloc; then others are asked for nothing.
  void share(CachedFile &file, std::uint64_t name) {
    named_.emplace(name, &file);
    file.peerName = name;
  }
  void unshare(CachedFile &file) {
    named_.erase(file.peerName);
    file.peerName = 0;
  }
  CachedFile *named(std::uint64_t name) const {
    const auto found = named_.find(name);
    return found == named_.end() ? nullptr : found->second;
  }

  // ---- node ----
  /// Whose frames it has; null: its own alone.
  virtual NodePool *pool() const { return nullptr; }

  // ---- node: who has what ----
  /// Those sectors of the piece that this process lacks, and others have or will have. With \p use,
  /// these keep them until that read.
  virtual Sectors others(const CachedFile &, const Piece &, Sequence = 0) const { return 0; }
  /// Whether another process has a frame for the page. Any thread.
  virtual bool isHosted(const CachedFile &, std::uint64_t) const { return false; }

  // ---- node: who fetches; while the claim lives, nobody else decides that ----
  /// Announces to others what they have of a piece, and has the rest fetched into a frame of theirs
  /// if this process has none. True if that is all; else \p purpose says what they provide.
  virtual bool leave(std::optional<Claim> &, CachedFile &, const Piece &, Purpose &) {
    return false;
  }
  /// Whether others have any of a piece by now, or it is fetched into a frame of theirs.
  virtual bool isTheirs(std::optional<Claim> &, CachedFile &, const Piece &, const Purpose &) {
    return false;
  }
  /// A fetch into another process's frame is done, and has \p brought something, or not.
  virtual void endGuest(const Fetch &, ByteRange) {}
  /// What others wait for takes precedence over what nobody waits for.
  virtual void hasten() {}
  virtual void tellWaiters(const Page &) {}
  /// For how long at most to wait for an idle frame.
  virtual std::chrono::milliseconds untilFrameIdle() const { return std::chrono::hours(1); }

  // ---- node: reading what others have ----
  /// Serves a read from one page that another process has. Without the mutex, like PageCache::hit.
  virtual bool hit(CachedFile &, void *, ByteRange) const { return false; }
  /// Whether this process lacks the sector at which the rest of the read begins, and another has it
  /// or will have it; then includes as many sectors after it as that one has, too.
  virtual bool find(const Reading &, Elsewhere &) const { return false; }
  /// Reads it, unless it is no longer there, or does not come: then this process fetches it. Without
  /// the mutex.
  virtual void take(const Elsewhere &, Reading &) const {}
  /// Copies a sector that another process has. Without the mutex.
  virtual bool copy(const CachedFile &, std::uint64_t, unsigned, std::byte *) const {
    return false;
  }

private:
  const bool isAmongNodes_;                     ///< there are other nodes
  std::map<std::uint64_t, CachedFile *> named_; ///< by `peerName`
};

/// With the processes of a node, as a member of \p pool.
std::unique_ptr<Sharing> makeNodeSharing(bool isAmongNodes, std::unique_ptr<NodePool> pool,
                                         PageTable &table, FetchBook &fetches);

} // namespace forerun
