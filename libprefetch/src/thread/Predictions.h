// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Counter.h"
#include "channels/Forwarding.h"
#include "channels/Stream.h"
#include "thread/LazyReads.h"
#include "thread/MispredictionCost.h"
#include "thread/Predictor.h"
#include "thread/Snapshot.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// \file
/// Predicts values that the main thread hands over in each turn of a loop, so that the thread need
/// not wait for them: a step that it computes, whether it goes on.
///
/// A prediction is *open* from when it is made until its value has come. Before it is made, all
/// memory that the thread may write to is kept: its stack and registers (Snapshot), what its fence
/// allows, its heap, and the part of the runtime that a call listed below changes. If the value
/// turns out different, the thread is put back there, with the true value; what it has announced
/// since is withdrawn (Withdrawals), and may be announced anew.
///
/// While one is open, the thread may compute, announce reads and writes at an offset or at the file
/// pointer, move that pointer, and come to predictions. These write only to memory that is kept, and to the
/// stream, whose records can be withdrawn, the leash's ring and the fence's table, where surplus
/// entries do no harm. Every other function of the runtime *settles* first: it waits until none is
/// open (PreThread::self). So does the thread where it ends: a fault, or a loop without an end,
/// may result from a wrong value.
///
/// Invariants
///  - Values are taken from Forwarding when they have come, in the order of the predictions: it
///    stays at the oldest open one, and nothing has to be put back there.
///  - The oldest is checked first. If it is wrong, all are dropped.
///  - While one is open, the thread waits only for the oldest one's value.
///  - The thread is put back only from an entry of the runtime, where it is not unstoppable, so
///    that it leaves no lock held and no memory of malloc's unfreed.
///  - Pages of lazy reads are not kept: a thread that is put back reads them again. If a read
///    covers only part of a page, its bytes are brought before a prediction is made.
///  - A snapshot has at most kMaxBytes, all together kRoomBytes; beyond that the thread waits as
///    it would without predictions.
/// Belongs to the pre-execution thread, except the counts. It may be ended at any instruction.

namespace forerun {

class Predictions {
public:
  static constexpr std::size_t kMax = 64; ///< open at once
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 10;
  static constexpr std::size_t kRoomBytes = std::size_t{4} << 20;

  /// Gives \p take each piece that is to be kept besides the stack.
  using Take = std::function<void(Snapshot::Piece piece)>;
  using Pieces = std::function<void(const Take &take)>;

  /// \p pieces include the table of \p lazyReads, and nothing on their pages.
  Predictions(Forwarding &forwarding, Stream &stream, int sites, Pieces pieces,
              LazyReads &lazyReads);
  ~Predictions();
  Predictions(const Predictions &) = delete;
  Predictions &operator=(const Predictions &) = delete;

  void begin(std::byte *stackEnd) { stackEnd_ = stackEnd; } ///< it may predict from now on

  bool isOpen() const { return count_ != 0; }
  /// There is more to keep than a snapshot has room for. Measured again only where it was too much.
  bool isTooMuch();
  /// The next value of \p site, to be released by `release`. Predicted if it has not come and may
  /// be predicted, otherwise awaited.
  Forwarding::Value receive(int site);
  Forwarding::Value await(int site); ///< like receive, but never predicted
  void release(int site);

  // These do not return if a prediction was wrong.
  void check();    ///< checks what has come
  void awaitOne(); ///< waits for the oldest one's value; one is open
  void settle();   ///< waits until none is open

  /// Whether `note` is of use: a prediction is open, or the last wrong one is being judged.
  bool wantsNotes() const { return isOpen() || cost_.site() >= 0; }
  /// A read has been announced: its first byte in the file, and how many it reads.
  void note(Record call) {
    call.prediction = stream_.prediction();
    cost_.note(call);
  }

  void forget(); ///< the thread ends: open predictions are withdrawn

  // ---- any thread ----
  struct Counts {
    std::uint64_t made = 0, wrong = 0;
  };
  Counts counts() const { return {read(made_), read(wrong_)}; }

private:
  struct Open {
    Snapshot snapshot;
    int site = 0;
    std::uint32_t number = 0;
    Forwarding::Value value{}; ///< in `bytes`
    Predictor::Bytes bytes{};
    std::byte *begin = nullptr, *end = nullptr; ///< in the room
    int error = 0;                              ///< errno
  };

  Open &oldest() { return open_[first_ % kMax]; }
  Open &newest() { return open_[(first_ + count_ - 1) % kMax]; }
  std::size_t openAt(int site) const;
  void judge(MispredictionCost::Verdict verdict);
  std::size_t boldest() const;
  bool mayPredict(int site);
  bool predict(int site);
  std::size_t bytesToKeep(const std::byte *frame, std::size_t &pieces) const;
  std::byte *roomFor(std::size_t bytes);
  bool hasCome();
  void look();
  [[noreturn]] void goBack();

  Forwarding &forwarding_;
  Stream &stream_;
  const Pieces pieces_;
  LazyReads &lazyReads_;
  std::byte *stackEnd_ = nullptr;
  std::vector<Predictor> predictors_; ///< by site
  MispredictionCost cost_;            ///< of the last wrong prediction
  std::array<Open, kMax> open_;       ///< a ring
  std::size_t first_ = 0, count_ = 0;
  std::uint32_t lastNumber_ = 0;
  std::size_t snapshotBytes_ = 0; ///< of the last one
  bool isTooMuch_ = false;        ///< for the last prediction that was to be made
  bool isPredicted_ = false;      ///< whether the last value given was predicted

  std::byte *room_ = nullptr; ///< ring of the snapshots; null until the first
  Counter made_{0}, wrong_{0};
};

} // namespace forerun
