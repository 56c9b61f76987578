/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

struct Config config = {.length = 18, .title = "extern-global"};
int verbosity;
const char dataPath[] = "extern-global.dat";
static int calls;

void configure(int rank) {
  calls++;
  config.first = rank * 2;
  config.stride = calls + 4;
  verbosity = calls > 1;
}
