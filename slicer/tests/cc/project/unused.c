/* SPDX-License-Identifier: Apache-2.0 */
/* A member of an archive that no program needs: that of another program, with a main of its own. */
#include <stdio.h>

int main(void) {
  puts("the wrong program");
  return 1;
}
