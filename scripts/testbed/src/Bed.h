// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Faults.h"
#include "Inodes.h"
#include "ReplyQueue.h"
#include "Settings.h"
#include "TimingModel.h"

#include <string>
#include <string_view>

/// \file
/// Everything that a mounted bed consists of; libfuse passes it to every operation. One thread.

namespace forerun::testbed {

struct Counters {
  std::uint64_t reads = 0, readBytes = 0, writes = 0, writeBytes = 0;
  std::size_t maxInFlight = 0;
};

struct Bed {
  Bed(const Settings &given, int backingFd)
      : settings(given), timing(given.timing), inodes(backingFd) {}

  Settings settings;
  TimingModel timing;
  Faults faults;
  Counters counters;
  Inodes inodes;
  ReplyQueue replies;
  int readyFd = -1; ///< notified once the handshake with the kernel is done; then closed

  static Bed &of(fuse_req_t request) { return *static_cast<Bed *>(fuse_req_userdata(request)); }
};

/// CLOCK_MONOTONIC.
Nanoseconds now();

/// What reading the control file shows: pid, directories, model, counters, faults in force.
std::string controlText(const Bed &bed);
/// What writing to it does, line by line. Returns an errno.
int controlCommand(Bed &bed, std::string_view text);

/// The operations that libfuse calls.
void addMetadataOperations(fuse_lowlevel_ops &operations);
void addDataOperations(fuse_lowlevel_ops &operations);

/// The control file's name, in the root of the mount.
inline constexpr const char *kControlName = ".forerun-testbed";
/// The maximum size of a read or write that the kernel passes on in one piece.
inline constexpr unsigned kMaxRequestBytes = 1u << 20;

} // namespace forerun::testbed
