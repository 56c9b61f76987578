// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <ucs/debug/log_def.h>

/// \file
/// UCX says what goes wrong on standard output, which is the program's. What it says in calls of ours is
/// kept back while one of these lives: another process has ended, a network cannot be used. What
/// comes of it others see: who cannot be reached is not asked. What MPI calls of it stays heard.

namespace forerun {

class UcxSilence {
public:
  UcxSilence() {
    static const Handler kHandler; // until the process, or the module, ends
    ++depth;
  }
  ~UcxSilence() { --depth; }
  UcxSilence(const UcxSilence &) = delete;
  UcxSilence &operator=(const UcxSilence &) = delete;

private:
  class Handler {
  public:
    Handler() { ucs_log_push_handler(judge); }
    ~Handler() { ucs_log_pop_handler(); }
    Handler(const Handler &) = delete;
    Handler &operator=(const Handler &) = delete;
  };

  static ucs_log_func_rc_t judge(const char * /*file*/, unsigned /*line*/,
                                 const char * /*function*/, ucs_log_level_t /*level*/,
                                 const ucs_log_component_config_t * /*component*/,
                                 const char * /*message*/, va_list /*arguments*/) {
    return depth > 0 ? UCS_LOG_FUNC_RC_STOP : UCS_LOG_FUNC_RC_CONTINUE;
  }

  static inline thread_local int depth = 0;
};

} // namespace forerun
