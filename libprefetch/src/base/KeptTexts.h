// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_KEPTTEXTS_H
#define FORERUN_KEPTTEXTS_H

#include <cstddef>
#include <mutex>
#include <set>
#include <string>

/// \file
/// Texts that live for ever, each of them once: what a thread without locks can be given a pointer
/// to. Bounded: beyond kMostBytes new ones are not kept. Threads: any but the pre-execution thread.

namespace forerun {

class KeptTexts {
public:
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;

  const char *keep(const std::string &text); ///< null: not kept

private:
  std::mutex mutex_;
  std::set<std::string> texts_;
  std::size_t bytes_ = 0;
};

} // namespace forerun

#endif
