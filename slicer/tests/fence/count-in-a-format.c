/* SPDX-License-Identifier: Apache-2.0 */
/* printf's %n stores through its argument. */
#include "reader.h"

static int used = 3;

static void work(void) {
  char name[64];
  long bad = 0;
  const char *format = "%0*d%n.chunk";
  for (int i = 0; i < 400; i++) {
    snprintf(name, sizeof name, "%0*d%n.chunk", 1 + i % 9, i % 7, &used);
    int before = used;
    readAt((long)strlen(name) * 37 + used * 11 + i);
    bad += used != before;
    if (i % 100 == 99)
      sprintf(name, format, 1, i, &used);
  }
  printf("%ld\n", bad);
}
