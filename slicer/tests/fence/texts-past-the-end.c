/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are too long for their destination, if the pre-execution thread continues. */
#include "reader.h"

static struct {
  char name[8];
  char important[64];
} s = {"", "unchanged"};

static void work(void) {
  double energy = 1e9;
  for (int i = 0;; i++) {
    strcat(s.name, i % 2 ? "b" : "a");
    readAt((long)strlen(s.name) * 17);
    for (int k = 0; k < 20000; k++)
      total += k % 2;
    energy = energy / 100 + (double)total * 0;
    if (energy < 1)
      break;
  }
  printf("%s %s\n", s.name, s.important);
}
