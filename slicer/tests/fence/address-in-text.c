/* SPDX-License-Identifier: Apache-2.0 */
/* An address that passes through a text: no analysis knows where it points. */
#include "reader.h"

static int shared = 3;

static void work(void) {
  char text[32];
  int *pointer = NULL;
  snprintf(text, sizeof text, "%p", (void *)&shared);
  sscanf(text, "%p", (void **)&pointer);
  for (int i = 0; i < 100; i++)
    readAt(*pointer += 2);
  printf("%d\n", shared);
}
