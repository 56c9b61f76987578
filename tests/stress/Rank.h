// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Datatype.h"
#include "Model.h"
#include "Plan.h"
#include "SharedFile.h"

#include <cstdint>
#include <functional>
#include <mpi.h>
#include <string>

/// \file
/// One rank's part of a run: carries out its operations through MPI-IO and compares every byte with
/// the model.

namespace stress {

struct Tally {
  std::uint64_t operations = 0;
  std::uint64_t comparedBytes = 0;
  std::uint64_t differences = 0;
};

class Rank {
public:
  /// \p beforeEach is called before every operation (it starts the prefetching thread).
  Rank(const Config &config, SharedFile &file, std::function<void()> beforeEach);

  void fillFile(); ///< collective: gives the file its first contents
  void run(const Phase &phase, int number);
  const Tally &tally() const { return tally_; }

private:
  void enter(const Phase &phase);
  void leave(const Phase &phase);
  void cross(Border border);
  void cutAndFill();
  void writeChunks(std::uint64_t first, std::uint64_t step, std::uint64_t stamp);

  void carryOut(const Operation &op);
  void read(const Operation &op);
  void readThree(const Operation &op);
  void readThroughSharedPointer(const Operation &op);
  void prefetchBytes(const Operation &op);
  void write(const Operation &op);
  void writeThree(const Operation &op);

  Buffer newBuffer(const Operation &op) const;
  void seek(const Operation &op) const;
  void judge(const Operation &op, const Buffer &buffer, const MPI_Status &status);
  void judgeBytes(const Operation &op, const std::vector<std::uint8_t> &got,
                  const std::vector<std::uint8_t> &expected);
  void differ(const Operation &op, const std::string &what);

  const Config &config_;
  SharedFile &file_;
  std::function<void()> beforeEach_;
  FileModel model_;
  ViewLayout view_;
  Tally tally_;
  std::string where_; ///< for messages
  int rank_ = 0;
  int number_ = 0;
  bool atomic_ = false;
};

} // namespace stress
