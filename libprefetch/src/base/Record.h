// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// \file
/// What the pre-execution thread tells the courier: a stream of small records in program order.

namespace forerun {

/// Call identifier: the occurrence-th execution (from 0) of a call site. site < 0: a call made by
/// hand.
struct CallId {
  std::int32_t site = -1;
  std::uint64_t occurrence = 0;

  bool operator==(const CallId &) const = default;
};

enum class RecordKind : std::uint8_t {
  Prefetch, ///< the main thread will read the range at this call
  Write,    ///< the main thread will write the range at this call; dirty until it has passed it
  Sync,     ///< what follows in the file waits until the main thread has passed this call
  Read      ///< bytes for the pre-execution thread's private use; the producer waits for them
};

struct Record {
  RecordKind kind = RecordKind::Prefetch;
  bool last = true;                       ///< the last range of its call
  std::uint32_t slot = 0, generation = 0; ///< the handle, see HandleTable
  CallId call;
  std::uint64_t offset = 0, length = 0;
  /// The newest prediction that was open when it was made (thread/Predictions.h); 0: none.
  std::uint32_t prediction = 0;
};

} // namespace forerun
