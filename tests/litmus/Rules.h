// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// \file
/// Which versions of a cell may be read: MPI's rules of file consistency (MPI 4.0, section 14.6.1),
/// and one promise of Forerun's own. Knows nothing of MPI-IO, which is judged by it.
///
/// Files are made of cells, and a program of rounds with a barrier after each. Every write of a cell
/// makes its next version. In a round, a cell is written by at most one process, and only through a
/// handle that is certain to see the previous version: so no two writes conflict. Then the
/// following holds:
///  - what was synced or closed by its writer before a barrier is seen through every handle that is
///    synced or opened after it;
///  - what was written through a handle in atomic mode is seen through that handle by all processes
///    after a barrier, while it is in atomic mode;
///  - a process sees what it has itself written, through all its handles (that is the promise; the
///    standard has it for one handle), except in collective reads through handles that cannot
///    write: there another process may read for it;
///  - anything newer may be seen, too, also in part: bytes of a cell may be of different versions.
/// While a non-blocking write is in flight, nobody is promised its bytes.

namespace litmus {

/// The versions that a byte may have.
struct Versions {
  int least = 0, most = 0;
};

class Rules {
public:
  /// A cell's or a handle's file is a number.
  Rules(int ranks, std::vector<int> fileOfHandle, std::vector<int> fileOfCell);

  bool mayWrite(int rank, int handle, int cell) const;
  int write(int rank, int handle, int cell); ///< returns the version
  int post(int rank, int handle, int cell);  ///< a non-blocking write; `complete` ends it
  void complete(int cell);
  bool isUnderWay(int cell) const { return cells_[at(cell)].posted; }

  void sync(int rank, int handle); ///< MPI_File_sync; no write through it is in flight
  void close(int rank, int handle);
  void open(int rank, int handle);
  void setAtomic(int handle, bool atomic); ///< on all ranks
  void endRound();

  Versions allowed(int rank, int handle, int cell) const;
  /// In a collective read through a handle that cannot write.
  Versions allowedToAnyRank(int handle, int cell) const;
  /// What was allowed when \p rank read in this round, plus what others have written meanwhile.
  Versions concurrently(Versions then, int rank, int cell) const;

private:
  struct Cell {
    int file = 0;
    int latest = 0;
    int synced = 0;    ///< by its writer, in this round or before
    int published = 0; ///< before the last barrier
    int writer = kNobody;
    bool writtenNow = false; ///< in this round
    bool posted = false;
    int postedBy = 0; ///< the handle
  };
  /// What one rank knows of a cell through one handle.
  struct Seen {
    int least = 0;
    int written = 0; ///< the last version that it has written
  };

  static constexpr int kNobody = -1;
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  Seen &seen(int rank, int handle, int cell);
  const Seen &seen(int rank, int handle, int cell) const;
  int begin(int rank, int cell);
  void written(int rank, int handle, int cell);

  int ranks_;
  std::vector<int> fileOfHandle_;
  std::vector<bool> atomic_; ///< of each handle
  std::vector<Cell> cells_;
  std::vector<Seen> seen_;
  std::vector<int> atomically_; ///< of each handle and cell: the last version written so
};

} // namespace litmus
