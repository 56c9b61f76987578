/* SPDX-License-Identifier: Apache-2.0 */
/* What hsearch finds points to what the program has put in. */
#include "reader.h"
#include <search.h>

static long values[10];
static char keys[10][4];

static void work(void) {
  hcreate(32);
  for (int i = 0; i < 10; i++) {
    values[i] = i;
    snprintf(keys[i], sizeof keys[i], "k%d", i);
    hsearch((ENTRY){keys[i], &values[i]}, ENTER);
  }
  for (int i = 0; i < 10; i++) {
    ENTRY *found = hsearch((ENTRY){keys[i], NULL}, FIND);
    *(long *)found->data += 5 * i;
  }
  for (int i = 0; i < 10; i++)
    readAt(values[i]);
  printf("%ld\n", values[9]);
}
