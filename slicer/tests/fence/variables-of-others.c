/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that no unit seems to define: one defined under another name, and those of the C
 * library. */
#include "reader.h"

#include <unistd.h>

extern int elsewhere __asm__("fence_defined_here");
int here __asm__("fence_defined_here") = 3;

static void work(void) {
  optopt = 1;
  for (int i = 0; i < 100; i++) {
    elsewhere += 2;
    optopt++;
    readAt(elsewhere + optopt);
  }
  printf("%d %d\n", here, optopt);
}
