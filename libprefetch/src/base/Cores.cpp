// SPDX-License-Identifier: Apache-2.0
#include "base/Cores.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace forerun {

bool areCoresToSpare() {
  const char *const processes = secure_getenv("MPI_LOCALNRANKS");
  int count = 0;
  cpu_set_t cores;
  return processes != nullptr &&
         std::from_chars(processes, processes + std::strlen(processes), count).ptr != processes &&
         sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > count;
}

} // namespace forerun
