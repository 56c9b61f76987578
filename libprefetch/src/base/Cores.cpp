// SPDX-License-Identifier: Apache-2.0
#include "base/Cores.h"

#include "mpi/Launcher.h"

#include <sched.h>

namespace forerun {

bool areCoresToSpare() {
  const int processes = forerun_processes_on_node();
  cpu_set_t cores;
  return processes > 0 && sched_getaffinity(0, sizeof cores, &cores) == 0 &&
         CPU_COUNT(&cores) > processes;
}

} // namespace forerun
