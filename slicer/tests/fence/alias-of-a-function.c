/* SPDX-License-Identifier: Apache-2.0 */
/* A function under another name, and one that is chosen when the program is loaded. */
#include "reader.h"

static int shared = 3;

static int step(int by) { return shared += by; }
int again(int by) __attribute__((alias("step")));

static int (*choose(void))(int) { return step; }
int chosen(int by) __attribute__((ifunc("choose")));

static void work(void) {
  for (int i = 0; i < 100; i++)
    readAt(again(1) + chosen(2));
  printf("%d\n", shared);
}
