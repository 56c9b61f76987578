// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Model.h"

#include <cstdint>
#include <vector>

/// \file
/// What every rank does in every phase, as a function of the seed: each rank can compute what the
/// others write, so the model needs no communication.
///
/// The file is cut into twice as many chunks as there are ranks, of an odd size, so that ranks
/// share pages and sectors. In a phase each rank owns one chunk and nobody writes the rest; the
/// owners are shuffled between phases, after a sync, a barrier and a sync. So MPI's consistency
/// rules leave nothing open.

namespace stress {

struct Config {
  std::uint64_t seed = 1;
  int ranks = 1;
  int phases = 1;
  int operations = 1; ///< of one rank in one phase
  std::uint64_t chunkBytes = 100003;

  std::uint64_t fullBytes() const { return 2U * static_cast<std::uint64_t>(ranks) * chunkBytes; }
};

enum class PhaseKind {
  Bytes,  ///< plain view: the rank's own chunk is read and written, what nobody owns is read
  Own,    ///< a view with holes, inside the own chunk: reads and writes
  Shared, ///< nobody writes: reads through the shared file pointer, plain view
  Holes,  ///< nobody writes: a view with holes over the whole file
  Tail    ///< the file has been cut short: its end is read over, and one rank writes it on
};

/// What happens between two phases, besides the synchronisation.
enum class Border { Nothing, Resize, Preallocate, Atomic, Reopen };

enum class Action {
  ReadAt,
  Read,
  IreadAt, ///< three at once
  PrefetchAndRead,
  PrefetchedBytes, ///< MPI_File_prefetch_read_at
  WriteAt,
  Write,
  IwriteAt, ///< three at once, with a read elsewhere while they are in flight
  // Collective, at the same place on every rank:
  ReadAtAll,
  ReadAll,
  SplitReadAtAll,
  IreadAtAll,
  ReadShared,
  ReadOrdered,
  WriteAtAll,
  SplitWriteAtAll,
  IwriteAtAll
};

bool isWrite(Action action);

struct Operation {
  Action action = Action::ReadAt;
  std::uint64_t start = 0; ///< in etypes of the view
  std::uint64_t count = 0; ///< etypes
  std::uint64_t stamp = 0; ///< of what is written
  bool gaps = false;       ///< the buffer in memory has a gap after each etype
};

struct Phase {
  PhaseKind kind = PhaseKind::Bytes;
  Border border = Border::Nothing;
  std::uint64_t cutBytes = 0;                     ///< Tail: the file's size when the phase begins
  std::vector<ViewLayout> views;                  ///< of each rank
  std::vector<std::vector<Operation>> operations; ///< of each rank
};

Phase planPhase(const Config &config, int number);

} // namespace stress
