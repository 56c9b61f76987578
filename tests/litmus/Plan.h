// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Rules.h"

#include <cstdint>
#include <vector>

/// \file
/// A random program: two files, a few handles of them, and what every rank does with these, as a
/// function of the seed. Each read carries what it may return (`Rules`).

namespace litmus {

constexpr int kFiles = 2;

/// Ways to name a file.
enum class Name { Plain, Symbolic, Hard, Spelt, Prefixed };
/// How a handle uses Forerun.
enum class Cached { On, Auto, Off, Without };
enum class Access { ReadWrite, ReadOnly, WriteOnly };

struct Handle {
  int file = 0;
  bool world = false; ///< of all ranks; else each rank has one of its own
  bool nfs = false;   ///< by ROMIO's driver for NFS
  Cached cached = Cached::On;
  std::vector<Access> access; ///< of each rank
};

enum class Action {
  Read,
  PrefetchedRead, ///< MPI_File_prefetch_read_at
  Announce,
  Write,
  Post, ///< MPI_File_iwrite_at
  Wait,
  Sync,
  Resize, ///< to the size that the file has
  Reopen,
  // Collective only:
  ReadAll,
  WriteAll, ///< of no bytes, if the rank has nothing to write
  AtomicOn,
  AtomicOff
};

struct Cell {
  int file = 0;
  std::uint64_t offset = 0, length = 0;
};

/// A part of a cell, and what may be read there.
struct Piece {
  std::uint64_t offset = 0, length = 0;
  int cell = 0;
  Versions versions;
};

struct Operation {
  Action action = Action::Read;
  int handle = 0;
  std::uint64_t offset = 0, length = 0;
  int cell = 0;                ///< written, or waited for
  int version = 0;             ///< written
  Name name = Name::Plain;     ///< Reopen
  std::vector<Piece> pieces{}; ///< read
};

struct Round {
  std::vector<std::vector<Operation>> operations; ///< of each rank
};

struct Program {
  std::vector<Cell> cells;
  std::vector<std::uint64_t> fileBytes;
  std::vector<Handle> handles;
  std::vector<Round> rounds;
};

Program plan(std::uint64_t seed, int ranks);

} // namespace litmus
