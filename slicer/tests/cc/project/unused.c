/* SPDX-License-Identifier: Apache-2.0 */
/* A member of an archive that this program does not need: it belongs to another program, and has a
 * main of its own. */
#include <stdio.h>

int main(void) {
  puts("the wrong program");
  return 1;
}
