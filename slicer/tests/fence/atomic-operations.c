/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations on memory that is not the thread's own. */
#include "reader.h"

extern int elsewhere[4] __asm__("fence_counters");
int here[4] __asm__("fence_counters") = {3, 3, 3, 3};

static void work(void) {
  for (int i = 0; i < 200; i++) {
    readAt(__atomic_fetch_add(&elsewhere[i % 4], 2, __ATOMIC_SEQ_CST));
    int expected = elsewhere[2], next = expected + 1;
    __atomic_compare_exchange(&elsewhere[2], &expected, &next, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  }
  printf("%d %d %d %d\n", here[0], here[1], here[2], here[3]);
}
