// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Mutex.h"
#include "forerun/runtime.h"
#include "measure/ReadStats.h"

#include <map>
#include <string>
#include <tuple>

/// \file
/// The main thread's reads, counted by call site. Reads are reported by lower layers, and a site is
/// known only when its call has returned: so each thread keeps what it has read meanwhile. A read
/// without a site (the slice has none of it) is in no site's figures, unless the next call with a
/// site is a library's. Any thread.

namespace forerun {

/// Where a call is in the program's text.
struct CallPlace {
  int site = -1;
  int line = 0; ///< 0: the program does not tell
  std::string file, call;

  static CallPlace of(int site); ///< as the sliced units have registered it
  bool operator<(const CallPlace &other) const {
    return std::tie(file, line, site, call) <
           std::tie(other.file, other.line, other.site, other.call);
  }
};

class SiteReads {
public:
  /// Registers one unit's call sites; before main begins.
  static void know(forerun_main_places &places);

  void callBegins(); ///< the calling thread's next read belongs to another call of MPI-IO
  void add(const ReadFigures &read); ///< a read that the calling thread has made
  void pass(int site);               ///< the call there has returned
  std::map<CallPlace, ReadFigures> figures() const;

private:
  /// Those of the last call of MPI-IO, and those before it: together, what a library has read.
  struct Reads {
    ReadFigures lastCall, before;
  };
  static thread_local Reads pending;

  mutable Mutex mutex_;
  std::map<int, Reads> bySite_ FORERUN_GUARDED_BY(mutex_);
};

} // namespace forerun
